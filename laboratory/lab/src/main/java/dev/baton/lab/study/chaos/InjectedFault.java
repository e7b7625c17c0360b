package dev.baton.lab.study.chaos;

import dev.baton.operations.line.Checks;
import java.util.List;

/**
 * One fault as the schedule has drawn it. Immutable, thread-safe.
 *
 * @param number counted from 1 in its set-up
 * @param targets the processes that it is done to, such as {@code s3}, {@code sender} or {@code broker-1}, the
 *     hosts, or the topic that is deleted; for a disk that fills up none
 * @param restMillis quiet time before it, for the chain to run undisturbed
 * @param lastMillis how long it lasts; 0 for what happens at once
 * @param variant a drawn number that decides details, such as what an unfinished excerpt holds
 */
public record InjectedFault(
        int number, Kind kind, List<String> targets, long restMillis, long lastMillis, long variant) {
    public InjectedFault {
        targets = List.copyOf(targets);
    }

    /** {@return a text for people: {@code kill-pair s2+s3}, {@code pause s1 for 812 ms}} */
    @Override
    public String toString() {
        return Checks.typed(kind)
                + (targets.isEmpty() ? "" : " " + String.join("+", targets))
                + (lastMillis == 0 ? "" : " for " + lastMillis + " ms");
    }

    /** The kinds of faults of a chain of processes. */
    public enum Kind {
        /** SIGKILL of a service, which is started again at once. */
        KILL_SERVICE,
        /** SIGKILL of two neighbours at once. */
        KILL_PAIR,
        /** SIGKILL of the process that feeds the chain. */
        KILL_SENDER,
        /** SIGKILL of the process that takes what comes out. */
        KILL_RECEIVER,
        /** SIGSTOP of any process, a broker or the Archive among them, and SIGCONT after a drawn time. */
        PAUSE,
        /** SIGKILL of a broker: started again over its data, the only one at once, one of several after recovery. */
        KILL_BROKER,
        /** SIGKILL of the process that is the media driver and the Archive, which is started again over its recordings. */
        KILL_ARCHIVE,
        /** SIGKILL of a service, and its newest queue file ends like one whose writer died inside an excerpt. */
        TORN_FRAME,
        /** The file system of the queues has no byte left for a while. */
        FULL_DISK,
        /** SIGKILL of the service that holds inputs: those come again, and no group is sent twice. */
        KILL_HOLDING,
        /** SIGTERM of the service that holds inputs, which sends on what it holds; started again at once. */
        RESTART_HOLDING,
        /** A second receiver is started while the first lives, and the first is killed when it is clear which one receives. */
        RIVAL_RECEIVER,
        /** A new process of a service is started before the old one is ended. */
        ROLLING_UPDATE,
        /** The chain is stopped under load, one topic deleted, and the chain started. */
        DELETE_TOPIC,
        /** SIGKILL of the branch of a composed chain. */
        KILL_BRANCH,
        /** SIGKILL of the merge of a composed chain. */
        KILL_MERGE,
        /** Every connection to a broker is reset, or to and from a host. */
        RESET_CONNECTIONS,
        /** No byte moves to or from a broker for a while, and no connection is made. */
        STALL_NETWORK,
        /** Whatever goes to or from brokers takes 100 ms more for a while. */
        DELAY_NETWORK,
        /**
         * One of a hundred pieces to or from brokers is delayed for a while, as TCP does when it sends a packet again. Between hosts one of
         * a hundred packets is lost.
         */
        LOSE_PACKETS,
        /** Clients do not reach a broker for a while, which the other brokers reach. */
        CUT_CLIENTS,
        /** Other brokers do not reach a broker for a while, which clients reach. */
        CUT_BROKERS,
        /**
         * A host is cut off and all of its processes are killed at once, including its broker, so that no connection is closed. After a
         * while its link is back and its processes are started again, the broker after recovery.
         */
        LOSE_HOST,
        /** No packet goes to or from a host for a while. */
        CUT_HOST,
        /** A host's link carries no more than 8 Mbit/s in each direction for a while. */
        SLOW_HOST,
        /** Two hosts, and so their brokers, do not reach one another for a while; the third and both do. */
        PART_HOSTS,
        /** One bit of one file flips between the kill of a chain and its next start. */
        FLIP_BIT,
        /** After the kill of a chain, its files have only what was synced, and some of the other pages. */
        LOSE_POWER,
        /** Syncs fail with EIO from one on, and power is lost after that. */
        FAIL_SYNC;

        /** {@return whether it damages the files of a killed chain, in a run without other faults} */
        public boolean isOfStorage() {
            return compareTo(FLIP_BIT) >= 0;
        }

        /** {@return whether it needs a composed chain} */
        public boolean isOfComposition() {
            return this == KILL_BRANCH || this == KILL_MERGE;
        }

        /** {@return whether it affects the network in front of brokers or between hosts} */
        public boolean isOfNetwork() {
            return switch (this) {
                case RESET_CONNECTIONS, STALL_NETWORK, DELAY_NETWORK, LOSE_PACKETS, CUT_CLIENTS, CUT_BROKERS -> true;
                case LOSE_HOST, CUT_HOST, SLOW_HOST, PART_HOSTS -> true;
                default -> false;
            };
        }

        /** {@return whether a broker may lag behind the others afterwards} */
        boolean takesBrokerOutOfStep() {
            return switch (this) {
                case KILL_BROKER, STALL_NETWORK, CUT_BROKERS, LOSE_HOST, CUT_HOST, PART_HOSTS -> true;
                default -> false;
            };
        }

        public boolean isPossible(SetUp setUp) {
            return switch (this) {
                case KILL_ARCHIVE -> setUp.hasArchive();
                case KILL_BROKER, RESET_CONNECTIONS, LOSE_PACKETS -> setUp.brokers > 0;
                case STALL_NETWORK, DELAY_NETWORK, CUT_CLIENTS -> setUp.brokers > 0 && !setUp.hasHosts();
                case CUT_BROKERS -> setUp.brokers > 1 && !setUp.hasHosts();
                case LOSE_HOST, CUT_HOST, SLOW_HOST, PART_HOSTS -> setUp.hasHosts();
                case DELETE_TOPIC -> !setUp.isVolatile();
                case TORN_FRAME, FULL_DISK -> setUp.equals(SetUp.CHRONICLE);
                case FLIP_BIT, LOSE_POWER, FAIL_SYNC ->
                    setUp.equals(SetUp.CHRONICLE) || setUp.equals(SetUp.AERON_ARCHIVE);
                default -> true;
            };
        }
    }

    /**
     * The outcome of one fault. Immutable, thread-safe.
     *
     * @param atMillis since the set-up began
     * @param recoveryNanos from the fault to the first output that was sent after it; 0: none came in time
     * @param stallNanos the longest time without a message at the sink, from the fault to the end of its repair
     * @param remark an unusual observation; null for none
     */
    public record Outcome(InjectedFault fault, long atMillis, long recoveryNanos, long stallNanos, String remark) {
        public boolean isSurvived() {
            return recoveryNanos > 0;
        }
    }
}
