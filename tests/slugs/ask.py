"""Names of the headings that are given as JSON, by rule."""

import json
import sys

from docutils.nodes import make_id
from markdown.extensions.toc import slugify
from myst_parser.mdit_to_docutils.base import default_slugify
from pymdownx.slugs import slugify as make_slugify

headings = json.loads(sys.argv[1])
lower = make_slugify(case="lower")
names = {
    "python-markdown": [slugify(words, "-") for words in headings],
    "pymdownx": [lower(words, "-") for words in headings],
    "docutils": [make_id(words) for words in headings],
    "myst": [default_slugify(words) for words in headings],
}
print(json.dumps(names))
