"""Secrets told aside: in several words, in a message, behind a clause, or beside a name."""

import pytest

from muniment.rules.privacy.detect import detect

PHRASES = (
    ("passphrase: correct horse battery staple", "correct horse battery staple"),
    ("my passphrase is correct horse battery staple", "correct horse battery staple"),
    ("Passphrase: purple-otter-lemon-canoe", "purple-otter-lemon-canoe"),
    ("the passphrase for the backup is violet kettle marble fox", "violet kettle marble fox"),
    ("Passphrase = the moon eats blue cheese", "the moon eats blue cheese"),
    ("Die Passphrase lautet: rote Katze fliegt heimlich", "rote Katze fliegt heimlich"),
    ("Kennsatz: blauer Mond über Wien", "blauer Mond über Wien"),
    ("phrase de passe : cheval correct batterie agrafe", "cheval correct batterie agrafe"),
    ("frase de contraseña: caballo batería grapa luna", "caballo batería grapa luna"),
    ("frase segreta: cavallo batteria luna verde", "cavallo batteria luna verde"),
    ("frase-passe: cavalo bateria lua verde", "cavalo bateria lua verde"),
    ("wachtwoordzin: paard batterij nietje maan", "paard batterij nietje maan"),
    ("парольная фраза: лошадь батарея скрепка луна", "лошадь батарея скрепка луна"),
    ("φράση πρόσβασης: άλογο μπαταρία φεγγάρι", "άλογο μπαταρία φεγγάρι"),
    ("عبارة المرور: حصان بطارية قمر", "حصان بطارية قمر"),
    ("पासफ़्रेज़: घोड़ा बैटरी चाँद", "घोड़ा बैटरी चाँद"),
    ("密码短语是 correct horse battery staple", "correct horse battery staple"),
    ("パスフレーズは「赤い犬と青い月」", "「赤い犬と青い月」"),
    ("암호 문구는 correct horse battery staple", "correct horse battery staple"),
)
WORDS = (
    ("My password is correct horse battery staple", "correct horse battery staple"),
    ("password: correct horse battery staple", "correct horse battery staple"),
    ("The password of my laptop is blue monkey dishwasher", "blue monkey dishwasher"),
    ("Our wifi password is purple otter sandwich rocket.", "purple otter sandwich rocket"),
    ("my password's swordfish", "swordfish"),
    ("Das Passwort ist Himbeere", "Himbeere"),
    ("Das Passwort für den Router lautet himbeere.", "himbeere"),
    ("Mon mot de passe est girafe violette nuage", "girafe violette nuage"),
    ("Mi contraseña es correcto caballo bateria", "correcto caballo bateria"),
    ("A senha é leão verde janela", "leão verde janela"),
    ("Mijn wachtwoord is paard batterij maan", "paard batterij maan"),
    ("пароль: тигр лампа облако стул", "тигр лампа облако стул"),
)
RECOVERY = (
    ("My recovery code is XK42-99AB-77QQ", "XK42-99AB-77QQ"),
    ("2FA backup codes: 1234 5678, 8765 4321", "1234 5678, 8765 4321"),
    ("Backup codes for GitHub: a1b2c-d3e4f, 99f0a-12bcd", "a1b2c-d3e4f, 99f0a-12bcd"),
    ("Wiederherstellungscode: 4821-9934-1120", "4821-9934-1120"),
    ("mon code de secours est 8821 4410", "8821 4410"),
    ("código de recuperación: K7QP-22XM", "K7QP-22XM"),
    ("код восстановления 4412-9087", "4412-9087"),
    ("我的恢复码是 8H2K-99LP-3321", "8H2K-99LP-3321"),
)
CODES = (
    "the code from the text message is 884213",
    "the code from the text message is 884213.",
    "The SMS says the code is 884213",
    "SMS-Code: 884213",
    "they texted me the code 884213",
    "the code in the email: 884 213",
    "Der Code aus der SMS ist 884213",
    "der Code per SMS lautet 884213",
    "le code reçu par SMS est 884213",
    "le code du message texto est 884213",
    "el código del mensaje es 884213",
    "el código que llegó por SMS es 884213",
    "il codice dell'sms è 884213",
    "il codice nel messaggio è 884213",
    "o código da mensagem é 884213",
    "de code uit de sms is 884213",
    "код из смс 884213",
    "код из смс: 884213",
    "код из сообщения это 884213",
    "ο κωδικός από το μήνυμα είναι 884213",
    "الرمز في الرسالة هو 884213",
    "एसएमएस में कोड 884213 है",
    "短信里的代码是884213",
    "短信验证码是884213",
    "SMSのコードは884213です",
    "문자로 온 코드는 884213",
    "the TAN from the sms is 884213",
)
BEHIND = (
    ("password for the router? it's on the fridge: Walrus_88", "Walrus_88"),
    ("wifi password? Walrus_88", "Walrus_88"),
    ("the password? It is Walrus_88", "Walrus_88"),
    ("the password, which Anna wrote on the fridge, is Walrus_88", "Walrus_88"),
    ("the wifi password that Anna set up last week is Walrus_88", "Walrus_88"),
    ("the password (it's on the fridge): Walrus_88", "Walrus_88"),
    ("das Passwort für den Router? es hängt am Kühlschrank: Walross_88", "Walross_88"),
    ("le mot de passe ? c'est Morse_88", "Morse_88"),
    ("la contraseña, que Ana apuntó ayer, es Morsa_88", "Morsa_88"),
    ("пароль от роутера? он на холодильнике: Morzh_88", "Morzh_88"),
    ("路由器的密码？贴在冰箱上：Walrus_88", "Walrus_88"),
    ("パスワード？冷蔵庫に：Walrus_88", "Walrus_88"),
    ("you can log in with kestrel / M4rzipan!", "M4rzipan!"),
    ("log in as bob:M4rzipan!", "M4rzipan!"),
    ("sign in with bob/M4rzipan!", "M4rzipan!"),
    ("anmelden mit bob / M4rzipan!", "M4rzipan!"),
    ("connecte-toi avec bob / M4rzipan!", "M4rzipan!"),
    ("inicia sesión con bob / M4rzipan!", "M4rzipan!"),
    ("accedi con bob / M4rzipan!", "M4rzipan!"),
    ("my PIN is 4821.", "4821"),
)
TALK = (
    "The password is stored in the vault",
    "My password is too long for this form",
    "The password field is required for all users",
    "Das Passwort ist kompliziert",
    "Das Passwort ist Pflichtfeld im Formular",
    "my password's strength is poor",
    "my password's expired",
    "The password policy is twelve characters minimum",
    "Password manager comparison: features pricing support",
    "My password is changed every month",
    "The password is case sensitive everywhere",
    "Le mot de passe est trop long pour moi",
    "Mijn wachtwoord is heel lang geworden",
    "I lost my recovery codes in 2023",
    "The recovery code is sent by mail",
    "Backup codes: see page 12",
    "The recovery codes are in the drawer, row 12",
    "The passphrase must be at least four words long",
    "Passphrase: at least four words",
    "passphrase: see the note in the vault",
    "Passphrase: enter your passphrase here",
    "the passphrase is hard to guess",
    "my passphrase is older than the company itself",
    "the passphrase is kept by the notary",
    "our passphrase is stored somewhere safe and dry",
    "the passphrase is written on a slip of paper",
    "Die Passphrase ist sehr lang und sicher",
    "la phrase secrète est bien cachée chez moi",
    "frase secreta: mínimo doce caracteres",
    "парольная фраза: минимум четыре слова",
    "The secret phrase of the novel is repeated often",
    "the code in the error message is 5004",
    "error code from the email: 5004",
    "the postal code in the message is 10115",
    "the discount code from the email is SAVE2024",
    "the source code from the mail is 2000 lines long",
    "the code in the repository is 3000 lines",
    "the code is on github",
    "SMS costs 2000 won",
    "text CODE to win 5000 euros",
    "he sent an e-mail in 2024",
    "the dress code in the email is smart",
    "The code review email came at 10:30",
    "the area code in the text is 0441",
    "code 2024 edition",
    "the building code from 2019 applies",
    "country code in the sms is 0049",
    "der Fehlercode in der Nachricht ist 5004",
    "the status code in the email was 5040",
    "forgot your password? Call 0800 123456",
    "Forgot password? Click here",
    "Did you change the password? Ticket: JIRA-12345",
    "I lost my password, my order number: AB12345",
    "the password, as always, must be long",
    "I changed the password, thanks",
    "forgot the password? It happens: nobody is perfect",
    "password? no idea",
    "The password? It is in the vault: ask Anna",
    "das Passwort? es ist geheim",
    "reset the password, that's all: done",
    "the password, which is 12 characters long, is safe",
    "our password manager, which is Bitwarden, is good",
    "log in with Google / GitHub",
    "sign in with SAML / OAuth2",
    "log in with your email / phone",
    "log in via portal.example.com/Login2024",
    "you can log in with https://example.com/a1b2c3",
    "log in as admin / guest",
    "log in at 10:30 / 11:30",
    "entra con Anna / Pedro",
    "sign in as team / 2024",
    "logged into the server with Anna / Bob yesterday",
)


def secrets(text: str) -> str:
    found = [each for each in detect(text) if each.category == "secret"]
    return "|".join(text[each.start : each.end] for each in found)


@pytest.mark.parametrize(("text", "phrase"), PHRASES)
def test_a_passphrase_of_several_words_is_found_whole(text: str, phrase: str) -> None:
    assert secrets(text) == phrase


@pytest.mark.parametrize(("text", "words"), WORDS)
def test_a_password_of_several_words_or_of_one_is_found_whole(text: str, words: str) -> None:
    assert secrets(text) == words


@pytest.mark.parametrize(("text", "codes"), RECOVERY)
def test_the_codes_that_bring_an_account_back_are_found(text: str, codes: str) -> None:
    assert secrets(text) == codes


@pytest.mark.parametrize("text", CODES)
def test_a_code_that_was_sent_is_found_in_the_languages_that_recall_knows(text: str) -> None:
    assert secrets(text).replace(" ", "") == "884213"


@pytest.mark.parametrize(("text", "secret"), BEHIND)
def test_a_secret_is_found_behind_a_question_a_clause_or_a_name(text: str, secret: str) -> None:
    assert secrets(text) == secret


@pytest.mark.parametrize("text", TALK)
def test_talk_about_passphrases_codes_and_logins_is_left_alone(text: str) -> None:
    assert secrets(text) == ""
