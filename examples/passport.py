"""Take what an agent knows about you along, with proofs; another memory checks and imports it."""

import muniment
from muniment.model.errors import MunimentError

with muniment.open(":memory:") as home, muniment.open(":memory:") as away:
    ada = home.agent("ada", user="tuff")
    ada.remember("I moved to Lisbon in March")
    ada.remember("I am allergic to peanuts")
    passport = home.passports().make("tuff", reason="tuff moves to another service")
    key = home.notary().key  # handed over by another way

    found = away.passports().verify(passport, key=key, user="tuff")
    print(f"{found.head.lines} records, {found.proved} proved")

    for data in (passport.replace(b"Lisbon", b"Madrid"), passport, passport):
        try:
            print("taken in:", away.passports().take_in(data, user="tuff", key=key).carried)
        except MunimentError as error:
            print("refused:", error.code)

    print(away.agent("ada", user="tuff").recall("What am I allergic to?").hits[0].text)
