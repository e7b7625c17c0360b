#!/usr/bin/env python3
"""Prints the frames of a topic, one per line: read_kafka_frames.py BOOTSTRAP_SERVERS TOPIC
Needs kafka-python 3 (pip install kafka-python). The layout is told in docs/frame.md."""
import struct
import sys

from kafka import KafkaConsumer, TopicPartition

HEADER = struct.Struct("<BBHiqqqq")  # version, flags, hops, type, sequence, cause, origin, sent
CHECKED, EXTENDED = 0x0F, 0xF0
FIELDS = {1: ("writer", "<q"), 2: ("input", "<qq"), 3: ("key", None), 4: ("wall-clock", "<q"), 5: ("trace", None)}


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def fields(block):
    """Known fields as text; ids that are not known are skipped."""
    at = 2
    while at < len(block) and block[at] != 0:
        value = block[at + 2:at + 2 + block[at + 1]]
        name, layout = FIELDS.get(block[at], (None, None))
        if name:
            yield name + "=" + (":".join(map(str, struct.unpack(layout, value))) if layout else value.hex())
        at += 2 + block[at + 1]


def writer_of(value):
    """Id of the writer of a frame; None: it does not say, or is no frame."""
    if len(value) < 42 or value[0] != 1 or value[1] not in (EXTENDED, CHECKED | EXTENDED):
        return None
    block = value[40:40 + struct.unpack_from("<H", value, 40)[0]]
    return next((int(text[7:]) for text in fields(block) if text.startswith("writer=")), None)


def counts(record, owners):
    """Whether a record is no marker of a writer, nor a frame of one that had been replaced. Keeps the newest writer's id."""
    value, owner = record.value or b"", owners.get(record.partition, 0)
    if len(value) > 40 and value[:2] == b"\x01\x00" and value[8:16] == bytes(8):
        owners[record.partition] = max(owner, record.offset << 20 | int(value[40:].split(b"\t")[0], 16))
        return False
    writer = writer_of(value)
    owners[record.partition] = max(owner, writer or 0)
    return writer is None or writer >= owner


def describe(value):
    version, flags, hops, kind, sequence, cause, _, _ = HEADER.unpack_from(value)
    if version != 1 or flags not in (0, CHECKED, EXTENDED, CHECKED | EXTENDED):
        return f"not read: version {version}, flags 0x{flags:02x}"
    end, checksum = len(value), "none"
    if flags & CHECKED:
        end -= 4
        checksum = "right" if crc32c(value[:end]) == struct.unpack_from("<I", value, end)[0] else "WRONG"
    block = struct.unpack_from("<H", value, 40)[0] if flags & EXTENDED else 0
    return (f"sequence={sequence} cause={cause} hops={hops} type={kind} payload={end - 40 - block} "
            + " ".join([f"checksum={checksum}", *fields(value[40:40 + block])]))


bootstrap, topic = sys.argv[1:]
owners = {}
with KafkaConsumer(bootstrap_servers=bootstrap.split(","), isolation_level="read_committed") as consumer:
    for number in sorted(consumer.partitions_for_topic(topic) or sys.exit(f"there is no topic {topic}")):
        partition = TopicPartition(topic, number)
        consumer.assign([partition])
        consumer.seek_to_beginning(partition)
        end = consumer.end_offsets([partition])[partition]
        while consumer.position(partition) < end:
            for record in consumer.poll(timeout_ms=1000).get(partition, []):
                try:
                    if counts(record, owners):
                        print(f"partition={number} {describe(record.value)}")
                except (TypeError, ValueError, IndexError, struct.error):
                    print(f"partition={number} not read: no frame, or a damaged one, at offset {record.offset}")
