"""The program with every sentence changed: an import hook rewrites the text of its modules before they run.

A later version may word anything differently. What looks like words in a module (two words with a space between them,
in a string that is no docstring, no SQL, no type and compared with nothing) gets a mark, and so does every sentence of
a code. Whatever is stored must not depend on them.
"""

import ast
import re
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

MARK = "~"
_WORDS = re.compile(r"[A-Za-z]{2,}[,:;]? [a-z]{2,}")
_NOT_WORDS = re.compile(r"\b(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|PRAGMA|BEGIN|SHOW|LOCK|FROM|WHERE|SET)\b|\^|\\")


class MarkSentences(ast.NodeTransformer):
    """Marks the sentences of one module."""

    def __init__(self) -> None:
        self.changed = 0

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, str) and _WORDS.search(node.value) and not _NOT_WORDS.search(node.value):
            self.changed += 1
            return ast.copy_location(ast.Constant(MARK + node.value), node)
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        return node if isinstance(node.value, ast.Constant) else self.generic_visit(node)  # a docstring

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        return node if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        return node

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        return node

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        node.values = [self.visit(value) for value in node.values]
        return node


class _Loader(SourceFileLoader):
    changed = 0

    def source_to_code(self, data, path, *, _optimize=-1) -> CodeType:  # type: ignore[no-untyped-def,override]  # importlib's own
        words = MarkSentences()
        tree = ast.fix_missing_locations(words.visit(ast.parse(data)))
        _Loader.changed += words.changed
        return compile(tree, path, "exec", dont_inherit=True, optimize=_optimize)

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 - importlib's own
        return self.source_to_code(self.get_data(self.path), self.path)  # never out of a cache


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] != "upcard":
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader) and spec.origin is not None:
            loader: Loader = _Loader(spec.loader.name, spec.loader.path)
            spec.loader = loader
        return spec


def install() -> None:
    """From now on every module of the program that is imported says everything in other words."""
    sys.meta_path.insert(0, _Finder())


def changed() -> int:
    """How many texts were changed so far; the sentences of codes are changed here, all of them."""
    from upcard import codes

    for code, sentence in codes._SENTENCES.items():
        if not sentence.startswith(MARK):
            codes._SENTENCES[code] = MARK + sentence
            _Loader.changed += 1
    return _Loader.changed
