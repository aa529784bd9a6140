"""False positives: numbers of things, dates, prices and books that are no personal data."""

from typing import Final

from muniment.model.lazy_pattern import lazy_pattern

_THINGS: Final = (
    r"\b(?:orders?|invoice|ticket|case|part|model|serial|tracking|reference|ref|isbn|issn|ean|upc|sku"
    r"|version|build|commit|issue|item|parcel|shipment|population|booking|reservation|flight|lot"
    r"|confirmation|article|product|batch|vehicle|vin|imei|doi|timestamp|epoch|patent|purchase|po"
    r"|catalog(?:ue)?|asset|room"
    # people have these too, so the number must be said to be one
    r"|(?:user|device|client|customer|session|message|transaction|event|job|task|request|trace|post"
    r"|record|claim|contract|account|receipt|policy|case)\s(?:id|number|no|nr)"
    # the same in other languages
    r"|rechnung(?:snummer)?|bestell(?:ung|nummer)|auftrag(?:snummer)?|sendung(?:snummer)?|vorgang"
    r"|artikel(?:nummer)?|commande|facture|colis|r[ée]f[ée]rence|pedido|factura|env[íi]o|ordine"
    r"|fattura|spedizione|encomenda|fatura|bestelling|factuur|pakket)\b"
    r"|заказ[а-я]{0,2}|сч[её]т[а-я]{0,2}|накладн|παραγγελία|τιμολόγιο|طلب|فاتورة|ऑर्डर|चालान"
    r"|订单|訂單|发票|發票|运单|快递|注文|請求書|伝票|주문|송장|운송장"
)
THING: Final = lazy_pattern(f"(?i){_THINGS}")
# The number itself is announced as that of a thing: "order number is", "Rechnung Nr.".
THING_BEFORE: Final = lazy_pattern(
    rf"(?i)(?:{_THINGS})(?:[\s.:=#(-]{{0,3}}(?:numbers?|numéro|número|numero|nummer|номер|no|nr|num|n[°º]|№"
    r"|id|code|ref|is|was|ist|est|es|è|é|号码|号|番号|번호)?){0,3}[\s.:=#-]{0,3}$"
)
CALENDAR: Final = lazy_pattern(
    r"(?:19|20)[0-9]{2}[-/. ][0-9]{1,2}[-/. ][0-9]{1,2}(?![0-9-])"
    r"|[0-9]{1,2}[-/.][0-9]{1,2}[-/.](?:19|20)[0-9]{2}(?![0-9])|(?:19|20)[0-9]{2}[-\u2013/](?:19|20)[0-9]{2}"
)
# The year of an invoice and its number in that year.
NUMBERED_BY_YEAR: Final = lazy_pattern(r"(?:19|20)[0-9]{2}[-/. ][0-9]{4,8}(?:[-/. ][0-9]{1,4})?")
# The seconds of a time, as programs write it: 04:53:08.348856.
CLOCK_BEFORE: Final = lazy_pattern(r"(?<![0-9])[0-2]?[0-9]:[0-5][0-9]:$")
SECONDS: Final = lazy_pattern(r"[0-5][0-9][.,][0-9]{1,9}(?![0-9])(?:[+-][0-9]{2}(?![0-9]))?")
AMOUNT: Final = lazy_pattern(
    r"[1-9][0-9]{0,2}(?:[ .][0-9]{3}){2,4}|(?:0|[1-9][0-9]{0,15})\.[0-9]{1,20}"
)
# Two parts of a place on the map; and a row of small numbers, as a lottery draws them.
COORDINATES: Final = lazy_pattern(r"[0-9]{1,3}\.[0-9]{2,8}\s?[/,;-]\s?[0-9]{1,3}\.[0-9]{2,8}")
SMALL_NUMBERS: Final = lazy_pattern(
    r"(?=(?:[0-9]{2}[ -]){0,8}[0-9](?![0-9]))(?=(?:[0-9][ -]){0,8}[0-9]{2}(?![0-9]))"
    r"[1-9][0-9]?(?:(?P<mark>[ -])[0-9]{1,2})(?:(?P=mark)[0-9]{1,2}){2,10}"
)
BOOK: Final = lazy_pattern(r"97[89][ -]?[0-9]{1,5}[ -][0-9 -]{7,12}")
VERSION_BEFORE: Final = lazy_pattern(
    r"(?i)(?:\b(?:versions?|ver|v|releases?|build|revision|rev|chapter|section|clause|firmware|"
    r"upgrade[sd]?\sto|update[sd]?\sto)[\s:=.]{0,3}|[<>=~^]=?\s?)$"
)
