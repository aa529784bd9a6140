"""Exchange: records of another memory are judged one by one, and join this log as they were."""
