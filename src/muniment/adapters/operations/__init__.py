"""Operations over whole stores: backup, copy, import, export, bulk jobs, the demo."""
