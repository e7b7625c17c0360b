package dev.baton.aeron;

import dev.baton.aeron.archive.StoredPositions;
import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.spi.Transport;
import dev.baton.tck.StorageFault;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.TransportFixture;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Topics of the shared Archive. */
class ArchiveFixture implements TransportFixture {
    private final ArchiveOptions options;
    private final boolean isMeasured;
    private final Collection<String> names = new ConcurrentLinkedQueue<>();

    /** Of tests that send one message after the other some ten thousand times only if they are to measure allocation. */
    ArchiveFixture(ArchiveOptions options, boolean isMeasured) {
        this.options = options;
        this.isMeasured = isMeasured;
    }

    @Override
    public String newTopic() {
        String name = TransportFixture.super.newTopic();
        names.add(name);
        return name;
    }

    @Override
    public Transport open() {
        return ArchiveTransport.open(options);
    }

    @Override
    public Transport reopen() {
        return open();
    }

    @Override
    public Transport openAnother() {
        return open();
    }

    @Override
    public List<String> refusedNames() {
        return List.of("", " ", "a/b", "..");
    }

    @Override
    public boolean keepsAcknowledgedFrames() {
        return true;
    }

    /** All except for syncs, which the process of the Archive makes. */
    @Override
    public Set<StorageFault> storageFaults() {
        return EnumSet.complementOf(EnumSet.of(StorageFault.FAILED_SYNCS));
    }

    @Override
    public void begin(StorageFault fault, String topic) {
        try (ArchiveSession session = ArchiveSession.connect(options)) {
            RecordingDescriptor recording = Catalog.topic(session, topic);
            switch (fault) {
                case DAMAGED_POSITION -> StoredPositions.damage(session, topic, TopicProbe.CONSUMER);
                case POSITION_AHEAD ->
                    StoredPositions.move(session, topic, TopicProbe.CONSUMER, 1_000, recording.stop() + 4096);
                case LOST_FRAMES -> session.archive().truncateRecording(recording.id(), recording.start());
                default -> TransportFixture.super.begin(fault, topic);
            }
        }
    }

    /** The Archive's file system is the limit. */
    @Override
    public OptionalInt backlog() {
        return OptionalInt.empty();
    }

    @Override
    public boolean allocatesNothing() {
        return isMeasured;
    }

    /** Recordings of topics that this test has made and of their consumers. */
    @Override
    public Collection<String> leftovers() {
        List<String> left = new ArrayList<>();
        try (ArchiveSession session = ArchiveSession.connect(options)) {
            List<RecordingDescriptor> all =
                    Catalog.list(session, RecordingDescriptor.topics(), RecordingDescriptor.TOPICS);
            for (String name : names) {
                all.stream().filter(each -> each.topic().equals(name)).forEach(each -> left.add(each.alias()));
                Catalog.list(session, RecordingDescriptor.consumersOf(name), RecordingDescriptor.CONSUMERS)
                        .forEach(each -> left.add(each.alias()));
                Catalog.list(session, RecordingDescriptor.endAlias(name), RecordingDescriptor.ENDS)
                        .forEach(each -> left.add(each.alias()));
            }
        }
        return left;
    }

    @Override
    public void close() {
        // the Archive is everybody's
    }
}
