from muniment.retrieval.languages import asked_to_forget as asked_to_forget
