"""What the site takes from outside of docs/: README and its like as pages, and each linked source file as a page.

So a link in a document is right in the repository and on the site, and the site needs no network.
"""

import os
import posixpath
import re

from mkdocs.structure.files import File
from mkdocs.structure.nav import Link

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCES = "source/"  # where pages of source files lie on the site
PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
ORIGINS = {page: origin for origin, page in PAGES.items()}
IMAGES = (".png", ".svg")
LANGUAGES = {".java": "java", ".json": "json", ".md": "md", ".py": "python", ".yaml": "yaml"}
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
FENCE = "~" * 12  # longer than any within a source file


def on_files(files, config):
    """Adds the pages that are generated."""
    for origin, page in PAGES.items():
        files.append(File.generated(config, page, content=read(origin)))
    origins = list(PAGES) + ["docs/" + file.src_uri for file in files.documentation_pages() if file.src_uri not in ORIGINS]
    added = set()
    for origin in origins:
        for target in linked(origin):
            add(target, files, config, added)
    return files


def on_page_markdown(markdown, page, config, files):
    """Turns links as they are in the repository into links as they are on the site."""
    uri = page.file.src_uri
    if uri.startswith(SOURCES):
        return markdown
    origin = ORIGINS.get(uri, "docs/" + uri)

    def rewritten(match):
        target, anchor = resolved(origin, match[2])
        if target is None:
            return match[0]
        return match[1] + posixpath.relpath(site_uri(target), posixpath.dirname(uri) or ".") + anchor + match[3]

    return outside_of_fences(markdown, lambda line: LINK.sub(rewritten, line))


def on_nav(nav, config, files):
    """Adds the API documentation where it is built."""
    if os.environ.get("BATON_JAVADOC"):
        nav.items.append(Link("API (Javadoc)", "api/index.html"))
    return nav


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def outside_of_fences(markdown, change):
    lines = []
    is_code = False
    for line in markdown.split("\n"):
        is_fence = line.lstrip().startswith("```")
        lines.append(line if is_code or is_fence else change(line))
        is_code ^= is_fence
    return "\n".join(lines)


def linked(origin):
    """Paths within the repository that a document links to."""
    found = []
    outside_of_fences(read(origin), lambda line: found.extend(match[1] for match in LINK.findall(line)) or line)
    targets = [resolved(origin, link)[0] for link in found]
    return [target for target in targets if target is not None]


def resolved(origin, link):
    """The path that a link means and its anchor; no path for one that stays as it is."""
    path, hash_sign, anchor = link.partition("#")
    if not path or re.match(r"[a-z]+:", link):
        return None, ""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(origin), path))
    return (target if os.path.exists(os.path.join(ROOT, target)) else None), hash_sign + anchor


def site_uri(target):
    """Where a path of the repository is on the site."""
    is_folder = os.path.isdir(os.path.join(ROOT, target))
    if target.startswith("."):
        return SOURCES + target.lstrip(".") + ".md"  # MkDocs leaves out hidden files
    if target in PAGES:
        return PAGES[target]
    if target.startswith("docs/") and is_folder:
        return target[len("docs/") :] + "/README.md"
    if target.startswith("docs/") and target.endswith((".md", *IMAGES)):
        return target[len("docs/") :]
    if target.endswith(IMAGES):
        return SOURCES + target
    return SOURCES + target + ("/index.md" if is_folder else ".md")


def add(target, files, config, added):
    """Adds the page of a source file or of a folder with all it holds, once."""
    uri = site_uri(target)
    if not uri.startswith(SOURCES) or target in added:
        return
    added.add(target)
    path = os.path.join(ROOT, target)
    if os.path.isdir(path):
        names = sorted(name for name in os.listdir(path) if not name.startswith(".") and name != "target")
        for name in names:
            add(posixpath.join(target, name), files, config, added)
        pages = [
            f"- [{name}]({posixpath.relpath(site_uri(posixpath.join(target, name)), posixpath.dirname(uri))})"
            for name in names
        ]
        files.append(File.generated(config, uri, content=page_of(target, "\n".join(pages))))
    elif target.endswith(IMAGES):
        files.append(File.generated(config, uri, abs_src_path=path))
    else:
        language = LANGUAGES.get(posixpath.splitext(target)[1], "text")
        code = f"{FENCE} {language}\n{read(target).rstrip()}\n{FENCE}"
        files.append(File.generated(config, uri, content=page_of(target, code)))


def page_of(target, content):
    name = posixpath.basename(target)
    return f"---\ntitle: {name}\nsearch:\n  exclude: true\nhide:\n  - toc\n---\n# {name}\n\n`{target}`\n\n{content}\n"
