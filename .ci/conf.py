"""The documentation site, as Sphinx builds it from docs/: `make site`, where a warning is an error.

Sphinx with MyST reads the Markdown that is there, and is kept by many; MkDocs Material, the other
candidate, has announced its end. Furo loads nothing from elsewhere.
"""

import muniment

project = "Muniment"
version = release = muniment.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4
html_theme = "furo"
html_title = f"Muniment {version}"
html_copy_source = False
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]  # a diagram in text is shown as its text
