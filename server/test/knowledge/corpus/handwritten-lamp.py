"""Talks to a lamp over its serial port."""

import serial


class Lamp:
    """A Lumo lamp."""

    def __init__(self, port: str) -> None:
        self.port = serial.Serial(port)

    def set_mode(self, mode: str) -> None:
        """Sets the mode: reading, evening or night."""
        self.port.write(f"MODE {mode}\n".encode())
