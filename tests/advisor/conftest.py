"""The browser, for every test of this folder."""

from browser import address, axe, chromium, html, open_page, tabs

__all__ = ["address", "axe", "chromium", "html", "open_page", "tabs"]
