"""The hub: the newest snapshot, handed on to many."""

from threading import Thread

import pytest

from tests.webui import tables
from webui.events import event, event_stream
from webui.places import Places
from webui.stream import Stream, StreamError
from webui.view import as_json


def test_a_watcher_gets_the_newest_snapshot_first_and_then_each_change() -> None:
    stream = Stream(tables.waiting())
    with stream.subscribe() as watcher:
        assert watcher.wait() == tables.waiting()
        assert watcher.wait(0) is None
        stream.publish(tables.playing())
        assert watcher.wait() == tables.playing()
    assert stream.latest() == tables.playing()


def test_a_slow_watcher_skips_to_the_newest_snapshot() -> None:
    stream = Stream(tables.waiting())
    with stream.subscribe() as watcher:
        for version in range(1000):
            stream.publish(tables.playing(version=version))
        newest = watcher.wait()
        assert newest is not None
        assert newest.version == 999
        assert watcher.wait(0) is None


def test_a_snapshot_published_again_is_told_again() -> None:
    stream = Stream(tables.waiting())
    with stream.subscribe() as watcher:
        watcher.wait()
        stream.publish(tables.waiting())
        assert watcher.wait() == tables.waiting()


def test_the_newest_is_told_once_more_where_something_beside_it_is_new() -> None:
    stream = Stream(tables.waiting())
    with stream.subscribe() as watcher:
        watcher.wait()
        stream.publish(tables.playing())
        stream.repeat()
        assert watcher.wait() == tables.playing()
        assert watcher.wait(0) is None
        stream.repeat()
        assert watcher.wait() == tables.playing()


def test_no_more_watchers_than_places_over_all_streams_and_a_place_left_is_free_again() -> None:
    places, one, other = Places(2), Stream(tables.waiting()), Stream(1)
    first, second = places.take(one), places.take(other)
    with pytest.raises(StreamError, match="2 pages are watching already"):
        places.take(one)
    second.close()
    second.close()
    assert (places.taken, one.watchers, other.watchers) == (1, 1, 0)
    places.take(one).close()
    first.close()
    assert places.taken == one.watchers == 0


def test_closing_the_places_ends_all_streams_and_begins_no_other() -> None:
    places, one, other = Places(2), Stream(tables.waiting()), Stream(1)
    taken = [places.take(one), places.take(other)]
    places.close()
    assert all(place.subscription.ended for place in taken)
    assert not one.closed, "the table may go on without the pages"
    with pytest.raises(StreamError, match="closing"):
        places.take(one)


def test_a_stream_that_is_closed_takes_no_place() -> None:
    places, stream = Places(2), Stream(1)
    stream.close()
    with pytest.raises(StreamError, match="closing"):
        places.take(stream)
    assert places.taken == 0


def test_closing_the_stream_wakes_and_ends_every_watcher() -> None:
    stream = Stream(tables.waiting())
    seen: list[int] = []
    watchers = [stream.subscribe() for _ in range(5)]
    threads = [Thread(target=lambda one=one: seen.append(len(list(one)))) for one in watchers]
    for thread in threads:
        thread.start()
    stream.close()
    for thread in threads:
        thread.join()
    assert len(seen) == 5
    assert all(watcher.ended for watcher in watchers)
    assert stream.closed
    with pytest.raises(StreamError, match="closing"):
        stream.subscribe()


def test_closing_a_watcher_from_another_thread_ends_its_waiting() -> None:
    stream = Stream(tables.waiting())
    watcher = stream.subscribe()
    thread = Thread(target=lambda: list(watcher))
    thread.start()
    watcher.close()
    thread.join()
    assert stream.watchers == 0


def test_thirty_watchers_that_come_and_go_all_see_the_last_snapshot() -> None:
    stream = Stream(tables.playing(version=0))
    last = 300
    seen_last: list[bool] = []

    def watch() -> None:
        version = -1
        while version < last:
            with stream.subscribe() as watcher:
                for _ in range(3):
                    snapshot = watcher.wait()
                    assert snapshot is not None
                    assert snapshot.version >= version
                    version = snapshot.version
                    if version == last:
                        break
        seen_last.append(True)

    threads = [Thread(target=watch) for _ in range(30)]
    for thread in threads:
        thread.start()
    for version in range(1, last + 1):
        stream.publish(tables.playing(version=version))
    for thread in threads:
        thread.join()
    assert len(seen_last) == 30
    assert stream.watchers == 0


def test_the_event_stream_sends_a_comment_then_the_state_then_beats_until_nobody_listens() -> None:
    stream = Stream(tables.playing())
    answers = iter([False] * 9 + [True])
    with stream.subscribe() as watcher:
        sent = list(event_stream(watcher, as_json, lambda: next(answers), look_up=0.001, beat=0.003))
    assert sent == [": racko\nretry: 2000\n\n", event(as_json(tables.playing())), "event: beat\ndata: 1\n\n"]


def test_what_comes_after_nobody_may_listen_any_more_is_not_sent() -> None:
    stream = Stream(tables.playing())
    answers = iter([False, True])
    with stream.subscribe() as watcher:
        assert len(list(event_stream(watcher, as_json, lambda: next(answers)))) == 1


def test_an_event_is_one_line_of_data_with_the_version_as_its_id() -> None:
    lines = event(as_json(tables.playing(version=42))).split("\n")
    assert lines[0] == "id: 42"
    assert lines[1].startswith('data: {"version": 42')
    assert lines[2:] == ["", ""]
