package dev.baton.aeron.recording;

import dev.baton.aeron.ArchiveOptions;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.errors.TransportException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The part of an Archive in a pair of a primary and its standby. It is the name of an empty recording, so that a listing tells it,
 * and it ends when that recording is deleted. Of several in one Archive the newest epoch counts, and then the oldest recording.
 *
 * <p>A client with a standby has both Archives agree on a pair and an epoch before it uses them. A promotion gives an Archive a role
 * with a newer epoch, so that neither of the two is used as before. Immutable, thread-safe.
 *
 * @param recording id of the recording; negative for an Archive without a role
 * @param pair identity of the pair; 0 for none. The upper half stays the same from promotion to promotion
 * @param epoch number of promotions of the pair, from 1
 * @param kind part of the Archive
 */
record Role(long recording, long pair, long epoch, Role.Kind kind) {
    /** The part of an Archive. */
    enum Kind {
        /** It has no copy, and is none. */
        ALONE,
        /** A standby has a copy of it. */
        PRIMARY,
        /** It is the copy of a primary. */
        STANDBY,
        /** It was a standby or a primary, and its promotion has not ended. */
        PROMOTING
    }

    private static final String END = ";";
    private static final String ALIAS = "baton-role" + END;
    private static final int TERM = 64 << 10;
    private static final int MTU = 1408;
    private static final int HEX = 16;

    /** Returns the role of an Archive. Waits for the Archive. */
    static Role of(ArchiveSession session) {
        Role newest = new Role(-1, 0, 0, Kind.ALONE);
        for (Role each : all(session)) {
            newest = each.epoch > newest.epoch ? each : newest;
        }
        return newest;
    }

    private static List<Role> all(ArchiveSession session) {
        return Catalog.list(session, ALIAS, RecordingDescriptor.ROLES).stream()
                .map(Role::parse)
                .toList();
    }

    private static Role parse(RecordingDescriptor entry) {
        String[] parts = entry.alias().split(END);
        return new Role(
                entry.id(), Long.parseUnsignedLong(parts[1], HEX), Long.parseLong(parts[2]), Kind.valueOf(parts[3]));
    }

    /** Returns whether an Archive is and was in no pair, but may have begun to make one. */
    private boolean isNone() {
        return kind == Kind.ALONE && epoch <= 1;
    }

    /** Returns whether an Archive is the standby that another one has begun to make. */
    private boolean isBegunBy(Role other) {
        return kind == Kind.STANDBY && epoch == other.epoch && isOfOriginOf(other) && other.recording >= 0;
    }

    private boolean isOfOriginOf(Role other) {
        return pair >>> Integer.SIZE == other.pair >>> Integer.SIZE;
    }

    private boolean isOfPairWith(Role other) {
        return pair == other.pair && epoch == other.epoch;
    }

    /**
     * Checks that an Archive without a standby may be written.
     *
     * @throws TopicMismatchException when it has a standby, or is one
     */
    static void requireAlone(ArchiveSession session) {
        Role role = of(session);
        if (role.kind == Kind.STANDBY) {
            throw new TopicMismatchException(
                    "the Archive (" + session.options() + ") is the standby of another one, as of epoch "
                            + role.epoch + ", and only copies its topics; once that one is lost, promote this one with"
                            + " ./baton promote, or use the other one with " + ArchiveOptions.STANDBY + "=HOST:PORT");
        }
        if (role.kind == Kind.PRIMARY) {
            throw new TopicMismatchException(
                    "the Archive (" + session.options() + ") has a standby, as of epoch " + role.epoch
                            + ", and is not written without it; set " + ArchiveOptions.STANDBY
                            + "=HOST:PORT. If that one was promoted,"
                            + " use it instead of this one; if it is lost, let this one run alone with ./baton promote");
        }
        if (role.kind == Kind.PROMOTING) {
            throw new TopicMismatchException("the promotion of the Archive (" + session.options() + ") to epoch "
                    + role.epoch + " has not ended; wait for ./baton promote, or run it again");
        }
    }

    /**
     * Checks that two Archives are a pair, or makes them one if the second one is empty. Waits for both.
     *
     * @return the role of the standby
     * @throws TopicMismatchException when they are not a pair, for example as the standby was promoted
     */
    static Role ofPair(ArchiveSession primary, ArchiveSession standby) {
        Role here = of(primary);
        Role there = of(standby);
        boolean isBegun = true;
        if (here.kind == Kind.ALONE && (there.recording < 0 || there.isBegunBy(here))) {
            isBegun = begin(primary, here, standby, there);
            here = of(primary);
            there = of(standby);
        }
        if (here.kind != Kind.PRIMARY || there.kind != Kind.STANDBY || !here.isOfPairWith(there)) {
            if (!isBegun) {
                throw new TransportException("another process makes the Archive (" + primary.options() + ") or "
                        + ArchiveOptions.STANDBY + "=" + primary.options().get(ArchiveOptions.STANDBY)
                        + " part of a pair at the same moment; try again");
            }
            throw new TopicMismatchException(refusal(primary, here, there));
        }
        return there;
    }

    /**
     * Makes a pair, or continues after a process that was killed meanwhile. The upper half of a pair's number is the primary's, from
     * its first role on, so that no other Archive continues; the lower half is the attempt's, so that of two standbys one fits. The
     * standby gets its role before the primary, which never has one that is not there.
     *
     * @return whether no other process was faster
     */
    private static boolean begin(ArchiveSession primary, Role here, ArchiveSession standby, Role found) {
        if (!Catalog.topics(standby).isEmpty()) {
            throw new TopicMismatchException(refusal(primary, here, found));
        }
        Role alone = here.recording < 0 ? create(primary, random(), 1, Kind.ALONE) : here;
        long attempt = alone.pair >>> Integer.SIZE << Integer.SIZE | random() >>> Integer.SIZE;
        Role there = found.recording < 0 ? create(standby, attempt, alone.epoch, Kind.STANDBY) : found;
        if (!there.isBegunBy(alone)
                || !create(primary, there.pair, there.epoch, Kind.PRIMARY).isOfPairWith(there)) {
            return false;
        }
        Catalog.purge(primary, alone.recording);
        return true;
    }

    private static long random() {
        return ThreadLocalRandom.current().nextLong() | 1L << Integer.SIZE;
    }

    /** Creates a role, unless another process has created one first, and returns the one that counts. */
    private static Role create(ArchiveSession session, long pair, long epoch, Kind kind) {
        String alias = ALIAS + Long.toUnsignedString(pair, HEX) + END + epoch + END + kind + END;
        RecordedPublication created = RecordedPublication.create(session, alias, RecordingDescriptor.ROLES, TERM, MTU);
        created.close();
        Role counts = null;
        for (Role each : all(session)) {
            if (each.kind == kind && (counts == null || each.epoch > counts.epoch)) {
                counts = each;
            }
        }
        if (counts == null) {
            throw new TransportException("the role '" + alias + "' of the Archive was deleted at once; try again");
        }
        if (counts.recording != created.recordingId()) {
            Catalog.purge(session, created.recordingId());
        }
        return counts;
    }

    private static String refusal(ArchiveSession primary, Role here, Role there) {
        String standby = ArchiveOptions.STANDBY + "=" + primary.options().get(ArchiveOptions.STANDBY);
        if (there.isOfOriginOf(here) && there.epoch > here.epoch) {
            return standby + " was promoted with epoch " + there.epoch + ", and the Archive (" + primary.options()
                    + ") has epoch " + here.epoch
                    + ": it is not used any more, as its topics end elsewhere. Use the promoted one;"
                    + " to make this one its standby, stop it, empty its directory and start it again";
        }
        return standby + " is " + there.text() + ", and the Archive (" + primary.options() + ") is " + here.text()
                + ": they are not a pair. A new standby has to be empty: stop it, empty its directory and start it again. If the"
                + " Archive that it was the standby of is lost, promote it with ./baton promote";
    }

    private String text() {
        return isNone()
                ? "not part of a pair"
                : switch (kind) {
                            case ALONE -> "alone";
                            case PRIMARY -> "a primary";
                            case STANDBY -> "a standby";
                            case PROMOTING -> "being promoted";
                        }
                        + " of pair " + Long.toUnsignedString(pair, HEX) + " with epoch " + epoch;
    }

    /** Returns whether an Archive of a pair is used alone. */
    static boolean isPromoted(ArchiveSession session) {
        Role role = of(session);
        return role.kind == Kind.ALONE && !role.isNone();
    }

    /**
     * Begins a promotion, or continues one that was interrupted: gives an Archive the newest epoch of its pair. From the return on no
     * client of an earlier epoch counts its frames as stored in this Archive, or copies to it, and none writes it before {@link
     * #endPromotion}. Waits for the Archive.
     */
    static Role beginPromotion(ArchiveSession session) {
        Role role = of(session);
        if (role.isNone()) {
            throw new TopicMismatchException("the Archive (" + session.options()
                    + ") is not part of a pair: it has no standby, and is none; there is nothing to promote");
        }
        Role promoting =
                role.kind == Kind.PROMOTING ? role : create(session, role.pair, role.epoch + 1, Kind.PROMOTING);
        for (Role each : all(session)) {
            if (each.epoch < promoting.epoch) {
                Catalog.purge(session, each.recording);
            }
        }
        return promoting;
    }

    /** Ends a promotion: the Archive may be written. Waits for the Archive. */
    void endPromotion(ArchiveSession session) {
        create(session, pair, epoch, Kind.ALONE);
        Catalog.purge(session, recording);
    }
}
