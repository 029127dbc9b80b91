"""What a user is told in one line: what is wrong, with which value, and what to do."""


class Refused(Exception):
    def __init__(self, cause, remedy):
        super().__init__(f"{cause}; {remedy}")
