"""Numbers, months and weekdays as Chinese and Japanese write them."""

from typing import Final

_DIGITS: Final = "零一二三四五六七八九"


def _written(number: int) -> str:
    tens, ones = divmod(number, 10)
    ten = ("" if tens == 1 else _DIGITS[tens]) + "十" if tens else ""
    return ten + (_DIGITS[ones] if ones else "")


NUMBERS: Final = {number: _written(number) for number in range(1, 100)}
MONTHDAYS: Final = {day: NUMBERS[day] for day in range(1, 32)}
MONTHS: Final = tuple(f"{n}月|{n:02d}月|{n} 月|{NUMBERS[n]}月" for n in range(1, 13))
# Behind another number, or a place in a row, or a date, nothing is counted.
NOT_COUNTED: Final = r"(?<![第月年零一二三四五六七八九十百千万])"
