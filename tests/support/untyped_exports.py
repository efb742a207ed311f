"""Untyped values at the borders of rooms: what a room offers to another room says what it holds.

A room is a module or folder right under the package. It offers another room whatever that one imports of it, and all
that can be reached from there: members of a class and of its bases, and members of the classes that these name. None of
their annotations may have an `Any` in it, or a dictionary, list or `**keywords` of just `object`, under any alias.

Sources are read, not run; where no annotation stands, an attribute has the type of the parameter it is set to, or of
what is called for it.
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
Place = tuple[str, ast.expr]  # the name of what has an annotation, and the annotation


class Module:
    """A module as it is written."""

    def __init__(self, package: "Package", name: str, path: Path) -> None:
        self.package, self.name, self.tree = package, name, ast.parse(path.read_text(encoding="utf-8"))

    @property
    def room(self) -> str:
        return self.name.split(".")[1] if "." in self.name else ""

    @cached_property
    def imports(self) -> dict[str, str]:
        """Names that come from the package: where from, dotted."""
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
        """What it defines, also under a condition; an overloaded function is several statements."""
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
        """What a name means here, also one like `module.name`; nothing for what comes from outside the package."""
        head, _, tail = _dotted(node).partition(".")
        if head in self.definitions and not tail:
            return Definition(self, head)
        if head in self.imports:
            return self.package.find(f"{self.imports[head]}.{tail}".rstrip("."))
        return None

    def used_definitions(self) -> Iterator["Definition"]:
        """What it imports, and what it uses of the modules it imports."""
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
        """A definition, followed through modules that pass it on."""
        source, _, name = dotted.rpartition(".")
        module = self.modules.get(source)
        if module is None or dotted in self.modules:
            return None
        if name in module.definitions:
            return Definition(module, name)
        return self.find(module.imports[name]) if name in module.imports else None

    def crossings(self) -> dict[str, set[str]]:
        """Every untyped place that another room can reach, and the rooms that can."""
        untyped: dict[str, set[str]] = {}
        for room, offered in self._offers().items():
            for definition in offered:
                for place, annotation in definition.places():
                    if is_untyped(annotation, definition.module):
                        untyped.setdefault(f"{definition.module.name}.{place}", set()).add(room)
        return untyped

    def _offers(self) -> dict[str, set["Definition"]]:
        """Each room with all it can reach of others."""
        offers: dict[str, set[Definition]] = {}
        for module in self.modules.values():
            reached = offers.setdefault(module.room, set())
            todo = list(module.used_definitions())
            while todo:
                definition = todo.pop()
                if definition not in reached and definition.module.room != module.room:
                    reached.add(definition)
                    todo += definition.leads_to()
        return offers


@dataclass(frozen=True)
class Definition:
    """A name that a module defines."""

    module: Module
    name: str

    @property
    def nodes(self) -> list[ast.stmt]:
        return self.module.definitions[self.name]

    @property
    def stands_for(self) -> ast.expr | None:
        """The type that is meant where this is named: of an alias, or what a function gives."""
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
        """The annotations that whoever has it can see."""
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

    def leads_to(self) -> Iterator["Definition"]:
        """The types it names, and the bases of a class."""
        parts = [annotation for _, annotation in self.places()]
        parts += [base for node in self.nodes if isinstance(node, ast.ClassDef) for base in node.bases]
        parts += [self.stands_for] if self.stands_for is not None else []
        for part in parts:
            yield from _named(self.module, part)


def is_untyped(
    annotation: ast.expr | None,
    module: Module,
    *,
    in_container: bool = False,
    visited: frozenset[Definition] = frozenset(),
) -> bool:
    """Whether a value of anything is a part of an annotation, under its own name or an alias."""
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
                definition.stands_for, definition.module, in_container=in_container, visited=visited | {definition}
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
    """What is called for a value; a plain `list(...)` has the type of what is put into it."""
    return value.func if isinstance(value, ast.Call) and _dotted(value.func) not in CONTAINERS else None


def _named(module: Module, annotation: ast.expr) -> Iterator[Definition]:
    """The definitions of the package that an annotation names; of a function that is called, those of what it gives."""
    for node in ast.walk(annotation):
        match node:
            case ast.Constant(value=str()):
                yield from _named(module, _read(node))
            case ast.Name() | ast.Attribute():
                definition = module.look_up(node)
                if definition is not None and isinstance(definition.nodes[-1], ast.FunctionDef):
                    yield from _named(definition.module, definition.stands_for or ast.Constant(None))
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
    """An annotation in quotation marks; other words, like those of a Literal, name nothing."""
    try:
        return ast.parse(str(node.value), mode="eval").body
    except SyntaxError:
        return ast.Constant(None)
