"""How pictures become observations, live or played, and what they teach of the owner's deck.

In: pictures, each with its camera and its time. Out: observations for the referee and which racks are in sight
(lines of engine.lines), and the deck's look, learnt from racks that are known. What a picture shows is vision's to say.
"""
