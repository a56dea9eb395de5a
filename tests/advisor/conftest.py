"""The browser, for every test of this folder."""

from browser import address, chromium, html, open_page, tabs

__all__ = ["address", "chromium", "html", "open_page", "tabs"]
