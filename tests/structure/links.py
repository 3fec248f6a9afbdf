#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every link of a folder's documents leads to an existing file and heading: links.py FOLDER"""
import os
import re
import sys

LINK = re.compile(r"\]\(([^)\s]+)\)|<img [^>]*src=\"([^\"]+)\"")


def text_without_code(path):
    with open(path, encoding="utf-8") as file:
        return re.sub(r"^```.*?^```", "", file.read(), flags=re.S | re.M)


def anchors(path):
    """Returns the anchors of a page's headings: small letters, digits, hyphens for blanks."""
    headings = re.findall(r"^#+ (.*)$", text_without_code(path), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead_links(path):
    for found in LINK.finditer(text_without_code(path)):
        link = found.group(1) or found.group(2)
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
        if not os.path.exists(target) or (anchor and anchor not in anchors(target)):
            yield link


def documents(top):
    for folder, folders, files in os.walk(top):
        folders[:] = [name for name in folders if name not in (".git", "build")]
        yield from (os.path.join(folder, name) for name in files if name.endswith(".md"))


pages = list(documents(sys.argv[1]))
dead = [f"{page}: {link}" for page in pages for link in dead_links(page)]
sys.exit("\n".join(dead) if dead else None if pages else f"{sys.argv[1]} has no documents")
