package dev.baton.lab.study.chaos;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The faults of one set-up in the order in which they happen: a pure function of the seed, the set-up, the kinds and
 * {@link Times}. Kinds are dealt like cards, so that each comes once in every round of all kinds. A longer schedule
 * begins like a shorter one. Confined to one thread.
 */
public final class FaultSchedule {
    /** The bounds of what is drawn, in milliseconds. @param leastPause of a process or a disk, and so on */
    public record Times(int leastRest, int mostRest, int leastPause, int mostPause) {
        public static final Times USUAL = new Times(300, 1_500, 200, 3_000);

        /** The times of a short run. */
        public static final Times QUICK = new Times(200, 500, 200, 900);
    }

    static final String SENDER = "sender"; // like the next one a process of the chain that is not a service
    static final String RECEIVER = "receiver";
    private static final String BROKER = "broker-"; // and its number, from 0
    static final String ARCHIVE = "archive";
    private static final String HOST = "host-"; // and its number, from 0

    private final SetUp setUp;
    private final int services;
    private final List<String> passing; // processes between topics: the services, and what is beside the chain
    private final List<InjectedFault.Kind> kinds;
    private final Times times;
    private final Random random; // its algorithm is part of its documentation, so a seed stays good
    private final List<InjectedFault.Kind> dealt = new ArrayList<>();
    private int number;

    /**
     * Begins a schedule.
     *
     * @param further processes in addition to the chain, each of which writes a topic
     * @param kinds to draw from, impossible ones are omitted
     */
    public FaultSchedule(
            long seed, SetUp setUp, int services, List<String> further, List<InjectedFault.Kind> kinds, Times times) {
        this.setUp = setUp;
        this.services = services;
        passing = Stream.concat(IntStream.rangeClosed(1, services).mapToObj(FaultSchedule::service), further.stream())
                .toList();
        this.times = times;
        this.kinds = kinds.stream()
                .filter(kind -> kind.isPossible(setUp) && (!kind.isOfComposition() || !further.isEmpty()))
                .sorted()
                .distinct()
                .toList();
        if (this.kinds.isEmpty()) {
            throw new IllegalArgumentException("none of " + kinds + " can happen over " + setUp.name());
        }
        random = new Random(seed * 31 + setUp.number());
    }

    /** Name of a service's process, counted from 1. */
    static String service(int number) {
        return "s" + number;
    }

    /** The service of a chain that holds its inputs until it has a group of them. */
    static int summing(int services) {
        return Math.max(1, services - 1);
    }

    /** Returns the number of the service that fails at some messages, before the one that sums; 0 where that is the first. */
    static int failing(int services) {
        int summing = summing(services);
        return summing == 1 ? 0 : Math.max(1, summing - 2);
    }

    /** The number at the end of the name of a service, a topic or a broker. */
    static int numberOf(String target) {
        return Integer.parseInt(target.replaceAll("\\D+", ""));
    }

    static boolean isBroker(String target) {
        return target.startsWith(BROKER);
    }

    public InjectedFault next() {
        InjectedFault.Kind kind = deal();
        long rest = between(times.leastRest, times.mostRest);
        List<String> targets = targets(kind);
        boolean lasts = kind == InjectedFault.Kind.PAUSE
                || kind == InjectedFault.Kind.FULL_DISK
                || kind.isOfNetwork() && kind != InjectedFault.Kind.RESET_CONNECTIONS;
        long lasting = lasts ? between(times.leastPause, times.mostPause) : 0;
        return new InjectedFault(++number, kind, targets, rest, lasting, random.nextLong());
    }

    public List<InjectedFault> next(int count) {
        return Stream.generate(this::next).limit(count).toList();
    }

    private long between(int least, int most) {
        return least + random.nextInt(most - least + 1);
    }

    private InjectedFault.Kind deal() {
        if (dealt.isEmpty()) {
            dealt.addAll(kinds);
            Collections.shuffle(dealt, random);
        }
        return dealt.remove(dealt.size() - 1);
    }

    private List<String> targets(InjectedFault.Kind kind) {
        return switch (kind) {
            case KILL_SERVICE -> List.of(service(1 + random.nextInt(services)));
            case TORN_FRAME, ROLLING_UPDATE -> List.of(passing.get(random.nextInt(passing.size())));
            case KILL_PAIR -> {
                int first = 1 + random.nextInt(services - 1);
                yield List.of(service(first), service(first + 1));
            }
            case KILL_SENDER -> List.of(SENDER);
            case KILL_RECEIVER -> List.of(RECEIVER);
            case KILL_ARCHIVE -> List.of(ARCHIVE);
            case KILL_BROKER, STALL_NETWORK, CUT_CLIENTS, CUT_BROKERS ->
                List.of(BROKER + random.nextInt(setUp.brokers));
            case RESET_CONNECTIONS -> List.of((setUp.hasHosts() ? HOST : BROKER) + random.nextInt(setUp.brokers));
            case LOSE_HOST, CUT_HOST, SLOW_HOST -> List.of(HOST + random.nextInt(setUp.brokers));
            case PART_HOSTS -> {
                int spared = random.nextInt(setUp.brokers);
                yield IntStream.range(0, setUp.brokers)
                        .filter(host -> host != spared)
                        .mapToObj(host -> HOST + host)
                        .toList();
            }
            case PAUSE -> {
                List<String> all = new ArrayList<>(passing);
                all.addAll(List.of(SENDER, RECEIVER));
                IntStream.range(0, setUp.brokers).forEach(broker -> all.add(BROKER + broker));
                if (setUp.hasDriver()) {
                    all.add(ARCHIVE);
                }
                yield List.of(all.get(random.nextInt(all.size())));
            }
            case FULL_DISK, DELAY_NETWORK, LOSE_PACKETS, FLIP_BIT, LOSE_POWER, FAIL_SYNC -> List.of();
            case KILL_HOLDING, RESTART_HOLDING -> List.of(service(summing(services)));
            case RIVAL_RECEIVER -> List.of(RECEIVER);
            case DELETE_TOPIC -> List.of(ChainScenario.topic(random.nextInt(services + 1)));
            case KILL_BRANCH -> List.of(Composition.BRANCH);
            case KILL_MERGE -> List.of(Composition.MERGE);
        };
    }
}
