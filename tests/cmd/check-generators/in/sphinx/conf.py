extensions = ['myst_parser', 'sphinx.ext.autodoc']
project = 'p'
