extensions = ['myst_parser', 'sphinx.ext.autodoc']
project = 'p'


def names(operations):
    return [f"api-{one}" for one in operations]
