"""Synonyms: words that stand for one and the same, so that a search for one finds all of them.

Only words that mean nothing else: kin in several languages, British and American spellings, and
abbreviations. What merely belongs to a topic is in `topic_words`.
"""

from typing import Final

# The first of a row stands for all of them.
SYNONYMS: Final = tuple(
    """
mother mom mum mommy mummy mutter mama mutti maman madre mamma moeder мама мать матери
father dad daddy vater papa vati padre vader папа отец отца
grandmother grandma granny grossmutter oma abuela nonna бабушка
grandfather grandpa granddad grossvater opa abuelo nonno дедушка
child children kid kids hijos bambini kinderen ребенок дети детей
favorite favourite
color colour
flavor flavour
neighbor neighbour
neighborhood neighbourhood
behavior behaviour
harbor harbour
gray grey
center centre
theater theatre
license licence
program programme
tire tyre
jewelry jewellery
mustache moustache
pajamas pyjamas
aluminum aluminium
yogurt yoghurt
donut doughnut
whiskey whisky
cozy cosy
pediatrician paediatrician
gynecologist gynaecologist
orthopedic orthopaedic
anesthetic anaesthetic
airplane aeroplane
math maths mathematics
vacation holiday
movie film
bicycle bike
refrigerator fridge
television tv telly
vegetable veggie
telephone phone
photograph photo
university uni
examination exam
appointment appt
department dept
production prod
database db
repository repo
configuration config
environment env
application app
development dev
authentication auth
administrator admin
kubernetes k8s
postgresql postgres
javascript js
typescript ts
""".strip().splitlines()
)
