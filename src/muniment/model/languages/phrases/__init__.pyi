from muniment.model.languages.phrases import address_words as address_words
