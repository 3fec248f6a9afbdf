#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the words of the sentences of documents, and of comments in code:

    tools/sentences.py [--most N] [--mean N] [--list N] FILE...

Prints the mean and the longest sentence of each file. With --list, each sentence of more than N words. With --most or
--mean, a file that has a longer sentence or a greater mean is a failure: status 1, with a line for each sentence.

Documents: a list's item and a heading begin a sentence; blocks of code and tables are left out. Code: what `/* */`,
`//` and `#` hold; a comment ends its last sentence.
"""
import argparse
import os
import re
import sys

END = re.compile(r"(?<=[.!?:;])[)\"']*\s+(?=[\"'(`\[*]*[A-Z0-9`@])")
NOT_AN_END = re.compile(r"\b(e\.g|i\.e|cf|vs|Fig|Dr|No|al)\.$")
WORD = re.compile(r"[A-Za-z0-9_][\w'’.,/*+-]*")


def paragraphs_of_document(text):
    """(line, words) of paragraphs, items and headings, without code and tables."""
    found, lines, code = [], [], False

    def finish():
        if lines:
            found.append((lines[0][0], " ".join(line for _, line in lines)))
            lines.clear()

    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            code = not code
        if code or line.lstrip().startswith(("```", "|", "<!--")) or line.startswith("    ") and not lines:
            finish()
        elif not line.strip():
            finish()
        else:
            if re.match(r"\s*([-*]|\d+\.|#+) ", line):
                finish()
                line = re.sub(r"^\s*([-*]|\d+\.|#+) ", "", line)
            lines.append((number, line.strip()))
    finish()
    return [(number, re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", words)) for number, words in found]


def paragraphs_of_comments(text, hashes):
    """(line, words) of comments; a blank line or an item within one begins another."""
    found = []
    if hashes:
        blocks = [(text[:m.start()].count("\n") + 1, re.sub(r"(?m)^\s*#+!?", "", m.group()))
                  for m in re.finditer(r"(?m)^[ \t]*#.*\n(?:[ \t]*#.*\n)*|(?<=\s)# .*$", text)]
        blocks += [(text[:m.start()].count("\n") + 1, m.group(1)) for m in re.finditer(r'(?s)"""(.*?)"""', text)]
    else:
        strings = r'"(?:\\.|[^"\\\n])*"|' r"'(?:\\.|[^'\\\n])*'"
        pattern = re.compile(r"(?s)" + strings + r"|/\*(.*?)\*/|((?://[^\n]*\n[ \t]*)*//[^\n]*)")
        blocks = []
        for m in pattern.finditer(text):
            words = m.group(1) if m.group(1) is not None else m.group(2)
            if words is not None:
                words = re.sub(r"(?m)^[ \t]*(//|\*(?= |$))", "", words)
                blocks.append((text[:m.start()].count("\n") + 1, words.replace("\\\n", "\n")))
    for number, words in blocks:
        lines = []
        for offset, line in enumerate(words.split("\n") + [""]):
            new = re.match(r"\s*[-*] |\s*\S+: |\s{5,}", line)
            if lines and (not line.strip() or new):
                found.append((number + lines[0][0], " ".join(part for _, part in lines)))
                lines = []
            if line.strip():
                lines.append((offset, line.strip()))
    return [(number, words) for number, words in found if "SPDX-" not in words]


def sentences(words):
    """The sentences of a paragraph. A colon or semicolon before a capital ends one too, and an abbreviation none."""
    parts, held = [], ""
    for part in END.split(re.sub(r"`[^`]*`", "code", words)):
        held = f"{held} {part}" if held else part
        if not NOT_AN_END.search(part):
            parts.append(held)
            held = ""
    return parts + ([held] if held else [])


def count(path):
    """(words, line, sentence) of each sentence."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    name = os.path.basename(path)
    if path.endswith(".md"):
        paragraphs = paragraphs_of_document(text)
    else:
        paragraphs = paragraphs_of_comments(text, path.endswith((".py", ".sh", ".cmake")) or name == "CMakeLists.txt")
    return [(len(WORD.findall(sentence)), line, sentence) for line, words in paragraphs for sentence in sentences(words)
            if WORD.search(sentence)]


def main():
    """Prints what the options ask for. Returns 1 if a sentence or a mean is above its limit."""
    parser = argparse.ArgumentParser(description="Counts the words of sentences.")
    parser.add_argument("--most", type=int, help="words of the longest sentence that is allowed")
    parser.add_argument("--mean", type=float, help="words that a sentence of a file may have in the mean")
    parser.add_argument("--list", type=int, metavar="N", help="print each sentence of more than N words")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    checks, failed = options.most is not None or options.mean is not None, False
    for path in options.files:
        counted = count(path)
        if not counted:
            continue
        mean, longest = sum(words for words, _, _ in counted) / len(counted), max(counted)
        if not checks and options.list is None:
            print(f"{path}: {len(counted)} sentences, {mean:.1f} words in the mean, {longest[0]} in the longest")
        limit = options.most if options.most is not None else options.list
        for words, line, sentence in counted:
            if limit is not None and words > limit:
                failed = failed or options.most is not None
                print(f"{path}:{line}: {words} words: {sentence}")
        if options.mean is not None and mean > options.mean:
            failed = True
            print(f"{path}: {mean:.1f} words in the mean, above {options.mean:g}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
