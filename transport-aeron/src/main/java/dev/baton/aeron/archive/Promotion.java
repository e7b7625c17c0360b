package dev.baton.aeron.archive;

import dev.baton.aeron.ArchiveOptions;
import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.aeron.recording.Standby;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.TransportException;
import io.aeron.exceptions.TimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The promotion of an Archive that is a standby, or has lost its own: from then on it is used alone, with a newer epoch than the
 * other one. It may be repeated after it was killed anywhere. Stateless.
 */
public final class Promotion {
    private Promotion() {}

    /**
     * Promotes the Archive of the options. Waits for it, and for the timeout for the former one.
     *
     * @param former control channel of the Archive that it replaces
     * @param isForced whether to promote although the former one answers
     * @return the newest sequence of each topic
     * @throws OccupiedException when the former Archive answers
     * @throws DamagedTopicException after the promotion, when topics end before what was reported as stored
     */
    public static Map<String, Long> run(ArchiveOptions options, String former, boolean isForced) {
        if (options.hasStandby()) {
            throw new IllegalArgumentException(ArchiveOptions.STANDBY
                    + " is not allowed for a promotion; name the Archive to" + " promote by " + ArchiveOptions.ARCHIVE);
        }
        ArchiveOptions other = options.with(ArchiveOptions.ARCHIVE, former);
        ArchiveSession.connectAlone(options).close(); // reports that this one is missing, before the other one
        if (!isForced) {
            requireSilent(other);
        }
        try (ArchiveSession session = ArchiveSession.connectAlone(options)) {
            List<String> losses = new ArrayList<>();
            Standby.promote(
                    session,
                    () -> Catalog.topics(session).values().forEach(topic -> {
                        try {
                            check(session, topic);
                        } catch (DamagedTopicException damaged) {
                            losses.add(damaged.getMessage());
                        }
                    }));
            if (!losses.isEmpty()) {
                throw new DamagedTopicException(
                        "the Archive was promoted, but not all of it is whole: " + String.join("; ", losses), true);
            }
            Map<String, Long> newest = new TreeMap<>();
            Catalog.topics(session)
                    .forEach((name, topic) ->
                            newest.put(name, end(session, topic).sequence()));
            return newest;
        }
    }

    private static LogEnd end(ArchiveSession session, RecordingDescriptor topic) {
        return LogEnd.of(session, topic, Catalog.end(session, topic));
    }

    private static void requireSilent(ArchiveOptions former) {
        try {
            ArchiveSession.connectAlone(former).close();
        } catch (TransportException failed) {
            if (failed.getCause() instanceof TimeoutException) {
                return;
            }
            throw failed;
        }
        throw new OccupiedException("the Archive at " + former.get(ArchiveOptions.ARCHIVE)
                + " answers: its clients may store frames in both until this one is promoted; stop it, or force the promotion,"
                + " after which its clients store nothing more");
    }

    /** Checks that a topic has what was reported as stored, and stores its end anew, as of this host. */
    private static void check(ArchiveSession session, RecordingDescriptor topic) {
        LogEnd end = end(session, topic);
        RecordedPosition.Stored stored = RecordedEnd.newest(session, topic.topic());
        if (stored != null && stored.identity() == topic.identity() && stored.sequence() > end.sequence()) {
            throw RecordedEnd.loss(topic, end.sequence(), stored);
        }
        if (end.writer() != null) {
            RecordedEnd.open(session, topic, end).close();
        }
    }
}
