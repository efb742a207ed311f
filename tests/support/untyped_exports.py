"""Finds untyped values that one subpackage exports to another.

A subpackage is a module or folder directly under the package. It exports whatever another subpackage imports from it,
and everything reachable from there: members of a class and of its bases, and of the classes that their annotations
name. No such annotation may contain `Any`, or a dictionary, list or `**keywords` of plain `object`, under any alias.

The sources are parsed, not run. An attribute without an annotation has the type of the parameter that it is set to, or
of the function or class that is called for its value.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

CONTAINERS = {
    *("dict", "Mapping", "MutableMapping", "defaultdict", "OrderedDict", "RowMapping"),
    *("list", "tuple", "set", "frozenset", "Sequence", "Iterable", "Iterator", "Collection"),
}

Function = ast.FunctionDef | ast.AsyncFunctionDef
Place = tuple[str, ast.expr]  # the name of the annotated value, and its annotation


class Module:
    """The syntax tree of a module, with its imports and definitions."""

    def __init__(self, package: "Package", name: str, path: Path) -> None:
        self.package, self.name, self.tree = package, name, ast.parse(path.read_text(encoding="utf-8"))

    @property
    def subpackage(self) -> str:
        return self.name.split(".")[1] if "." in self.name else ""

    @cached_property
    def imports(self) -> dict[str, str]:
        """The names imported from the package, each with its dotted source."""
        sources: dict[str, str] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                sources |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            elif isinstance(node, ast.Import):
                plain = [
                    (alias.asname, alias.name) if alias.asname else (_first(alias.name),) * 2 for alias in node.names
                ]
                sources |= dict(plain)
        return {name: source for name, source in sources.items() if _first(source) == self.package.name}

    @cached_property
    def definitions(self) -> dict[str, list[ast.stmt]]:
        """The definitions by name, also those under a condition; an overloaded function has several statements."""
        statements: dict[str, list[ast.stmt]] = {}
        todo: list[ast.stmt] = list(self.tree.body)
        while todo:
            match todo.pop(0):
                case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) as node:
                    statements.setdefault(name, []).append(node)
                case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)) as node:
                    statements.setdefault(name, []).append(node)
                case ast.If(body=body, orelse=orelse) | ast.Try(body=body, orelse=orelse):
                    todo += [*body, *orelse]
        return statements

    def look_up(self, node: ast.expr) -> "Definition | None":
        """The definition of a name, or of one like `module.name`; None if it is from outside the package."""
        head, _, tail = _dotted(node).partition(".")
        if head in self.definitions and not tail:
            return Definition(self, head)
        if head in self.imports:
            return self.package.find(f"{self.imports[head]}.{tail}".rstrip("."))
        return None

    def used_definitions(self) -> Iterator["Definition"]:
        """What it imports, and what it uses from the modules it imports."""
        names = [self.package.find(source) for source in self.imports.values()]
        used = [self.look_up(node) for node in ast.walk(self.tree) if isinstance(node, ast.Attribute)]
        return (definition for definition in (*names, *used) if definition is not None)


class Package:
    """All modules of a package."""

    def __init__(self, root: Path) -> None:
        self.name = root.name
        self.modules: dict[str, Module] = {}
        for path in sorted(root.rglob("*.py")):
            parts = path.relative_to(root.parent).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            self.modules[name] = Module(self, name, path)

    def find(self, dotted: str) -> "Definition | None":
        """A definition, followed through modules that re-export it."""
        source, _, name = dotted.rpartition(".")
        module = self.modules.get(source)
        if module is None or dotted in self.modules:
            return None
        if name in module.definitions:
            return Definition(module, name)
        return self.find(module.imports[name]) if name in module.imports else None

    def untyped_exports(self) -> dict[str, set[str]]:
        """Every untyped place that another subpackage can reach, and those subpackages."""
        untyped: dict[str, set[str]] = {}
        for subpackage, definitions in self._exports().items():
            for definition in definitions:
                for place, annotation in definition.places():
                    if is_untyped(annotation, definition.module):
                        untyped.setdefault(f"{definition.module.name}.{place}", set()).add(subpackage)
        return untyped

    def _exports(self) -> dict[str, set["Definition"]]:
        """For each subpackage, the definitions of others that it can reach."""
        exports: dict[str, set[Definition]] = {}
        for module in self.modules.values():
            reached = exports.setdefault(module.subpackage, set())
            todo = list(module.used_definitions())
            while todo:
                definition = todo.pop()
                if definition not in reached and definition.module.subpackage != module.subpackage:
                    reached.add(definition)
                    todo += definition.referenced()
        return exports


@dataclass(frozen=True)
class Definition:
    """A name that a module defines."""

    module: Module
    name: str

    @property
    def nodes(self) -> list[ast.stmt]:
        return self.module.definitions[self.name]

    @property
    def type_expression(self) -> ast.expr | None:
        """The type that an alias names, or that a function returns."""
        match self.nodes[-1]:
            case ast.Assign(value=ast.Call(func=ast.Name(id="TypeAliasType" | "NewType"), args=[_, value])):
                return value
            case ast.Assign(value=ast.Subscript() | ast.BinOp() | ast.Name() | ast.Attribute() as value):
                return value
            case ast.AnnAssign(annotation=ast.Name(id="TypeAlias"), value=value):
                return value
            case ast.FunctionDef(returns=value):
                return value
        return None

    def places(self) -> Iterator[Place]:
        """The annotations that a user of the definition can see."""
        for node in self.nodes:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    yield from ((self.name, annotation) for annotation in _of_function(node))
                case ast.ClassDef():
                    yield from ((f"{self.name}.{member}", annotation) for member, annotation in _of_class(node))
                case ast.AnnAssign():
                    yield self.name, node.annotation
                case ast.Assign(value=value) if (called := _called(value)) is not None:
                    yield self.name, called

    def referenced(self) -> Iterator["Definition"]:
        """The types that it names, and the bases of a class."""
        parts = [annotation for _, annotation in self.places()]
        parts += [base for node in self.nodes if isinstance(node, ast.ClassDef) for base in node.bases]
        parts += [self.type_expression] if self.type_expression is not None else []
        for part in parts:
            yield from _named(self.module, part)


def is_untyped(
    annotation: ast.expr | None,
    module: Module,
    *,
    in_container: bool = False,
    visited: frozenset[Definition] = frozenset(),
) -> bool:
    """Whether an annotation contains an untyped value, directly or through an alias."""
    match annotation:
        case ast.Constant(value=str()):
            return is_untyped(_read(annotation), module, in_container=in_container, visited=visited)
        case ast.Subscript(value=base, slice=inside):
            name = _dotted(base).rpartition(".")[2]
            parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
            if name == "Literal":
                return False
            if name == "Annotated":
                return is_untyped(parts[0], module, in_container=in_container, visited=visited)
            contains = name in CONTAINERS
            parts += [] if contains else [base]
            return any(is_untyped(part, module, in_container=contains, visited=visited) for part in parts)
        case ast.BinOp(left=left, right=right):
            return any(is_untyped(part, module, in_container=in_container, visited=visited) for part in (left, right))
        case ast.List(elts=parts):
            return any(is_untyped(part, module, visited=visited) for part in parts)
        case ast.Name() | ast.Attribute():
            definition = module.look_up(annotation)
            if definition is None:
                name = _dotted(annotation).rpartition(".")[2]
                return name in CONTAINERS or name == "Any" or (in_container and name == "object")
            if definition in visited:
                return False
            return is_untyped(
                definition.type_expression, definition.module, in_container=in_container, visited=visited | {definition}
            )
    return False


def _of_class(node: ast.ClassDef) -> Iterator[Place]:
    for member in node.body:
        match member:
            case ast.AnnAssign(target=ast.Name(id=name)):
                places = [(name, member.annotation)]
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                places = [*((name, annotation) for annotation in _of_function(member)), *_attributes(member)]
            case ast.ClassDef(name=name):
                places = [(f"{name}.{inner}", annotation) for inner, annotation in _of_class(member)]
            case _:
                places = []
        yield from ((name, annotation) for name, annotation in places if not name.startswith("_") or name[-2:] == "__")


def _of_function(node: Function) -> Iterator[ast.expr]:
    arguments = node.args
    variadic = [arguments.vararg] if arguments.vararg else []
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *variadic):
        if argument.annotation is not None:
            yield argument.annotation
    if arguments.kwarg is not None and arguments.kwarg.annotation is not None:
        yield ast.Subscript(ast.Name("dict"), ast.Tuple([ast.Name("str"), arguments.kwarg.annotation]))
    if node.returns is not None:
        yield node.returns


def _attributes(method: Function) -> Iterator[Place]:
    """The attributes that a method sets."""
    arguments = method.args
    parameters = {
        argument.arg: argument.annotation
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    }
    for node in ast.walk(method):
        match node:
            case ast.AnnAssign(target=ast.Attribute(value=ast.Name(id="self"), attr=attr)):
                yield attr, node.annotation
            case ast.Assign(targets=[target]):
                for attr, value in _set(target, node.value):
                    annotation = parameters.get(value.id) if isinstance(value, ast.Name) else _called(value)
                    if annotation is not None:
                        yield attr, annotation


def _set(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The attributes of one assignment, which may set several."""
    match target, value:
        case ast.Tuple(elts=targets), ast.Tuple(elts=values):
            for single_target, its_value in zip(targets, values, strict=False):
                yield from _set(single_target, its_value)
        case ast.Attribute(value=ast.Name(id="self"), attr=attr), _:
            yield attr, value


def _called(value: ast.expr) -> ast.expr | None:
    """The function or class that is called for a value; a plain `list(...)` has the type of its items."""
    return value.func if isinstance(value, ast.Call) and _dotted(value.func) not in CONTAINERS else None


def _named(module: Module, annotation: ast.expr) -> Iterator[Definition]:
    """The definitions that an annotation names; for a function that is called, those of its return type."""
    for node in ast.walk(annotation):
        match node:
            case ast.Constant(value=str()):
                yield from _named(module, _read(node))
            case ast.Name() | ast.Attribute():
                definition = module.look_up(node)
                if definition is not None and isinstance(definition.nodes[-1], ast.FunctionDef):
                    yield from _named(definition.module, definition.type_expression or ast.Constant(None))
                elif definition is not None:
                    yield definition


def _first(dotted: str) -> str:
    return dotted.partition(".")[0]


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr):
            return f"{_dotted(value)}.{attr}"
    return "?"


def _read(node: ast.Constant) -> ast.expr:
    """Parses an annotation in quotation marks; other strings, like those of a Literal, name nothing."""
    try:
        return ast.parse(str(node.value), mode="eval").body
    except SyntaxError:
        return ast.Constant(None)
