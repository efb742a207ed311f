"""Vectors of 32-bit whole numbers as values of compiled code: one number per table, and masks of yes and no.

Operators work lane by lane. LLVM cuts a vector into the registers that the processor has (AVX-512, AVX2, SSE2), so one
source serves all; the few operations that have an instruction of their own only in AVX-512 or AVX2 ask for it here.
All code that depends on LLVM is in this file. A function here runs only inside compiled code.
"""
# ruff: noqa: ARG001 - numba calls all of them with the same parameters

import operator
from collections.abc import Callable
from functools import cache
from typing import Any

from llvmlite import binding, ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.datamodel.registry import register_default
from numba.extending import intrinsic, lower_builtin, type_callable
from numba.np.arrayobj import make_array

Numba = Any  # numba and llvmlite have no types

_I32, _I64 = ir.IntType(32), ir.IntType(64)
_FULL = 16  # lanes of a 512-bit register, and the entries of a table kept in one
_HALF = 8  # of a 256-bit register


class LanesType(types.Type):
    """`count` numbers of `bits` bits; one bit makes a mask."""

    def __init__(self, bits: int, count: int) -> None:
        self.bits, self.count = bits, count
        super().__init__(name=f"Lanes({bits}x{count})")

    @property
    def vector(self) -> Numba:
        return ir.VectorType(ir.IntType(self.bits), self.count)


@register_default(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Numba, lanes: LanesType) -> None:
        super().__init__(manager, lanes, lanes.vector)  # type: ignore[no-untyped-call]  # numba has no types


def _spread(context: Numba, builder: Numba, lanes: LanesType, given: Numba, value: Numba) -> Numba:
    """A scalar in every lane; lanes as they are."""
    if isinstance(given, LanesType):
        return value
    if isinstance(given, types.Literal):
        return ir.Constant(lanes.vector, int(given.literal_value) % (1 << lanes.bits))
    scalar = context.cast(builder, value, given, types.Integer(f"uint{lanes.bits}"))
    first = builder.insert_element(ir.Constant(lanes.vector, ir.Undefined), scalar, ir.Constant(_I32, 0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(_I32, lanes.count), 0))


def _define(symbol: Callable[..., object], emit: Callable[..., Numba], *, compares: bool) -> None:
    """Makes an operator work on two vectors, or on a vector and a number."""

    @type_callable(symbol)
    def typed(context: Numba) -> Callable[[Numba, Numba], Numba]:
        def typer(left: Numba, right: Numba) -> Numba:
            vectors = {given for given in (left, right) if isinstance(given, LanesType)}
            others = [given for given in (left, right) if not isinstance(given, LanesType)]
            if len(vectors) != 1 or not all(
                isinstance(other, types.Integer | types.IntegerLiteral) for other in others
            ):
                return None
            lanes = vectors.pop()
            return LanesType(1, lanes.count) if compares else lanes

        return typer

    def lowered(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        lanes = next(given for given in signature.args if isinstance(given, LanesType))
        pairs = zip(signature.args, args, strict=True)
        return emit(builder, *(_spread(context, builder, lanes, given, value) for given, value in pairs))

    for other in (LanesType, types.Integer, types.IntegerLiteral):
        lower_builtin(symbol, LanesType, other)(lowered)
        if other is not LanesType:
            lower_builtin(symbol, other, LanesType)(lowered)


def _comparison(sign: str) -> Callable[..., Numba]:
    return lambda builder, left, right: builder.icmp_unsigned(sign, left, right)


_ARITHMETIC: dict[Callable[..., object], Callable[..., Numba]] = {
    operator.add: ir.IRBuilder.add,
    operator.sub: ir.IRBuilder.sub,
    operator.mul: ir.IRBuilder.mul,
    operator.and_: ir.IRBuilder.and_,
    operator.or_: ir.IRBuilder.or_,
    operator.xor: ir.IRBuilder.xor,
    operator.lshift: ir.IRBuilder.shl,
    operator.rshift: ir.IRBuilder.lshr,
}
_COMPARISONS = {operator.eq: "==", operator.ne: "!=", operator.lt: "<", operator.ge: ">=", operator.gt: ">"}
for _symbol, _emit in _ARITHMETIC.items():
    _define(_symbol, _emit, compares=False)
for _symbol, _sign in _COMPARISONS.items():
    _define(_symbol, _comparison(_sign), compares=True)


def _operation(*, prefer_literal: bool = False) -> Callable[[Callable[..., Numba]], Numba]:
    """An operation of compiled code; its first parameter is numba's, and callers leave it out."""
    decorator: Callable[[Callable[..., Numba]], Numba] = intrinsic(prefer_literal=prefer_literal)
    return decorator


@cache
def _must_be_known(name: str, declaration: str) -> None:
    """Refuses an instruction that this LLVM does not have: code that calls one ends the process when it is loaded."""
    (function,) = binding.parse_assembly(declaration).functions
    if not list(function.attributes):  # LLVM gives those it knows their attributes
        raise NotImplementedError(f"LLVM has no {name} any more")


def _call(builder: Numba, name: str, result: Numba, *args: Numba) -> Numba:
    function = ir.FunctionType(result, [arg.type for arg in args])
    _must_be_known(name, f"declare {result} @{name}({', '.join(str(arg.type) for arg in args)})")
    return builder.call(cgutils.get_or_insert_function(builder.module, function, name), args)


def _has(context: Numba, feature: str) -> bool:
    """Whether code is compiled for a processor with this feature; numba's switches can turn one off."""
    return f"+{feature}" in (context.codegen()._tm_features or "").split(",")


def _numbers(count: int, values: list[int]) -> Numba:
    return ir.Constant(ir.VectorType(_I32, count), values)


@_operation(prefer_literal=True)
def load(typing: Numba, place: Numba, count: Numba) -> Numba:
    """So many numbers from a place."""
    lanes = LanesType(32, count.literal_value)

    def emit(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        return builder.load(builder.bitcast(args[0], lanes.vector.as_pointer()), align=4)

    return lanes(place, count), emit


@_operation()
def store(typing: Numba, place: Numba, value: Numba) -> Numba:
    def emit(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        builder.store(args[1], builder.bitcast(args[0], args[1].type.as_pointer()), align=4)
        return context.get_dummy_value()

    return types.void(place, value), emit


@_operation(prefer_literal=True)
def same(typing: Numba, like: Numba, number: Numba) -> Numba:
    """A number in every lane of a vector like another."""

    def emit(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        return _spread(context, builder, like, signature.args[1], args[1])

    return like(like, number), emit


@_operation()
def gather(typing: Numba, place: Numba, index: Numba) -> Numba:
    """The 32 bits that begin at place[index]: of bytes, that one and the next three.

    Not `llvm.masked.gather`: its instruction is microcode on AMD, and so many plain loads are faster.
    """

    def emit(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        lanes, unit = signature.args[1], signature.args[0].dtype.bitwidth
        count = lanes.count
        found = ir.Constant(lanes.vector, ir.Undefined)
        for lane in (ir.Constant(_I32, number) for number in range(count)):
            index = builder.zext(builder.extract_element(args[1], lane), _I64)
            spot = builder.gep(args[0], [index], source_etype=ir.IntType(unit))
            found = builder.insert_element(found, builder.load(spot, typ=_I32, align=unit // 8), lane)
        return found

    return index(place, index), emit


@_operation(prefer_literal=True)
def choose(typing: Numba, mask: Numba, yes: Numba, no: Numba) -> Numba:
    """Lane by lane one or the other; one of them may be a number."""
    lanes = yes if isinstance(yes, LanesType) else no

    def emit(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        pairs = zip(signature.args[1:], args[1:], strict=True)
        return builder.select(args[0], *(_spread(context, builder, lanes, given, value) for given, value in pairs))

    return lanes(mask, yes, no), emit


@_operation()
def bits(typing: Numba, mask: Numba) -> Numba:
    """A mask as a number; lane 0 is its lowest bit."""

    def emit(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        return builder.zext(builder.bitcast(args[0], ir.IntType(signature.args[0].count)), _I64)

    return types.int64(mask), emit


@_operation()
def high_product(typing: Numba, left: Numba, right: Numba) -> Numba:
    """The upper 32 bits of the 64-bit products: of even lanes, then of odd ones."""

    def emit(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        lanes = signature.args[0]
        wide = ir.VectorType(_I64, lanes.count // 2)
        factors = [
            builder.bitcast(_spread(context, builder, lanes, given, value), wide)
            for given, value in zip(signature.args, args, strict=True)
        ]
        low, half = ir.Constant(wide, 0xFFFFFFFF), ir.Constant(wide, 32)
        even = builder.mul(*(builder.and_(factor, low) for factor in factors))
        odd = builder.mul(*(builder.lshr(factor, half) for factor in factors))
        high = builder.or_(builder.lshr(even, half), builder.and_(odd, ir.Constant(wide, 0xFFFFFFFF << 32)))
        return builder.bitcast(high, lanes.vector)

    return left(left, right), emit


@_operation(prefer_literal=True)
def least_bytes(typing: Numba, value: Numba, most: Numba) -> Numba:
    """Each of the four bytes of a number, or `most` where it is larger."""

    def emit(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        lanes = signature.args[0]
        single = ir.VectorType(ir.IntType(8), 4 * lanes.count)
        parts, limit = builder.bitcast(args[0], single), ir.Constant(single, most.literal_value)
        smaller = builder.select(builder.icmp_unsigned("<", parts, limit), parts, limit)
        return builder.bitcast(smaller, lanes.vector)

    return value(value, most), emit


@_operation()
def ratio(typing: Numba, above: Numba, below: Numba) -> Numba:
    """(above + 1/2) / below, rounded down, at least -32 and at most 32; plus 32. `above` is signed.

    Exact while above is less than 2^23 and below less than 2^15: the quotient is then at least 2^-16 from the next
    whole number, and two roundings of 32-bit floats move it by less.
    """

    def emit(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        lanes = signature.args[0]
        floats = ir.VectorType(ir.FloatType(), lanes.count)
        dividend = builder.fadd(builder.sitofp(args[0], floats), ir.Constant(floats, 0.5))
        quotient = builder.fdiv(dividend, builder.sitofp(args[1], floats))
        for sign, limit in (("<", 32.5), (">", -32.0)):
            bound = ir.Constant(floats, limit)
            quotient = builder.select(builder.fcmp_ordered(sign, quotient, bound), quotient, bound)
        return builder.fptosi(builder.fadd(quotient, ir.Constant(floats, 32.0)), lanes.vector)

    return above(above, below), emit


@_operation()
def look_up(typing: Numba, place: Numba, index: Numba) -> Numba:
    """place[index & 15] of sixteen numbers, which stay in registers where the processor can choose among them."""

    def emit(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        lanes = signature.args[1]
        table = builder.load(builder.bitcast(args[0], ir.VectorType(_I32, _FULL).as_pointer()), align=4)
        if _has(context, "avx512f") and lanes.count == _FULL:
            return _call(builder, "llvm.x86.avx512.permvar.si.512", lanes.vector, table, args[1])
        index = builder.and_(args[1], ir.Constant(lanes.vector, _FULL - 1))
        if _has(context, "avx2") and lanes.count == _FULL:
            halves = [_half_of(builder, table, part) for part in range(2)]
            picked = [_permuted(builder, halves, _half_of(builder, index, part)) for part in range(2)]
            return builder.shuffle_vector(*picked, _numbers(_FULL, list(range(_FULL))))
        found = ir.Constant(lanes.vector, ir.Undefined)
        for lane in (ir.Constant(_I32, number) for number in range(lanes.count)):
            place = builder.gep(args[0], [builder.extract_element(index, lane)], source_etype=_I32)
            found = builder.insert_element(found, builder.load(place, typ=_I32), lane)
        return found

    return index(place, index), emit


def _half_of(builder: Numba, vector: Numba, part: int) -> Numba:
    return builder.shuffle_vector(vector, vector, _numbers(_HALF, list(range(part * _HALF, (part + 1) * _HALF))))


def _permuted(builder: Numba, halves: list[Numba], index: Numba) -> Numba:
    """Eight of sixteen numbers, by AVX2."""
    low, high = (_call(builder, "llvm.x86.avx2.permd", index.type, half, index) for half in halves)
    return builder.select(builder.icmp_unsigned("<", index, ir.Constant(index.type, _HALF)), low, high)


@_operation()
def append(typing: Numba, place: Numba, mask: Numba, value: Numba) -> Numba:
    """Writes the chosen lanes one behind the other; needs room for all of them.

    Not `llvm.masked.compressstore`: with AMD's processors it is five times slower than to compress and store. Without
    AVX-512 every lane is written, and only a chosen one moves the pen.
    """

    def emit(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        lanes = signature.args[2]
        if _has(context, "avx512f") and lanes.count == _FULL:
            name, undefined = f"llvm.experimental.vector.compress.v{_FULL}i32", ir.Constant(lanes.vector, ir.Undefined)
            packed = _call(builder, name, lanes.vector, args[2], args[1], undefined)
            builder.store(packed, builder.bitcast(args[0], lanes.vector.as_pointer()), align=4)
        else:
            pen = ir.Constant(_I64, 0)
            for lane in (ir.Constant(_I32, number) for number in range(lanes.count)):
                builder.store(builder.extract_element(args[2], lane), builder.gep(args[0], [pen], source_etype=_I32))
                pen = builder.add(pen, builder.zext(builder.extract_element(args[1], lane), _I64))
        return context.get_dummy_value()

    return types.void(place, mask, value), emit


@_operation()
def begin(typing: Numba, array: Numba) -> Numba:
    """Where an array begins: an address that numba neither counts references to nor passes as seven numbers.

    Somebody must hold the array as long as the address is used.
    """

    def emit(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        return make_array(signature.args[0])(context, builder, args[0]).data

    return types.CPointer(array.dtype)(array), emit


@_operation()
def ahead(typing: Numba, place: Numba, count: Numba) -> Numba:
    """The address so many elements on."""

    def emit(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        element = context.get_value_type(signature.args[0].dtype)
        return builder.gep(args[0], [args[1]], source_etype=element)

    return place(place, count), emit


@_operation()
def as_bytes(typing: Numba, place: Numba) -> Numba:
    """The same address, of bytes."""

    def emit(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        return builder.bitcast(args[0], ir.IntType(8).as_pointer())

    return types.CPointer(types.uint8)(place), emit


@_operation()
def first_bit(typing: Numba, number: Numba) -> Numba:
    """The place of the lowest bit that is set."""

    def emit(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        return _call(builder, "llvm.cttz.i64", _I64, args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), emit


@_operation()
def count_bits(typing: Numba, number: Numba) -> Numba:
    def emit(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        return _call(builder, "llvm.ctpop.i64", _I64, args[0])

    return types.int64(types.int64), emit


@_operation()
def rarely(typing: Numba, number: Numba) -> Numba:
    """The number itself, which is nearly always zero: registers are then saved only where it is not."""

    def emit(context: Numba, builder: Numba, signature: Numba, args: Numba) -> Numba:
        return _call(builder, "llvm.expect.i64", _I64, args[0], ir.Constant(_I64, 0))

    return types.int64(types.int64), emit
