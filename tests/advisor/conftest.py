"""The browser, for every test of this folder."""

from browser import address, axe, html, open_page, tabs

__all__ = ["address", "axe", "html", "open_page", "tabs"]
