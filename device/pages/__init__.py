"""What the pages (webui) are given of a table, and what opens them.

In: the run loop, the evening and the watch; photographs from a phone. Out: the desk that the pages talk to, pictures
that keep the racks secret, the host's PIN and the seats' links, and the addresses at which a browser finds them.
"""
