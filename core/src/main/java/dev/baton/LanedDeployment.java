package dev.baton;

import dev.baton.spi.LaneGroup;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How a chain with lanes is to run: all lanes here, or those that a group of processes leaves to this one. Begun with
 * {@link Deployment#lanes}, ended with {@link #start}.
 *
 * <p>A lane is the whole chain over topics of its own, so that everything a chain guarantees holds for each lane; between
 * lanes there is no order. Services and the outlet's handler are made or called for every lane, on the lane's loop: with
 * several loops, on several threads. Confined to one thread, and not to be changed after the start.
 */
public final class LanedDeployment {
    private static final Pattern MEMBER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final Duration LEAST_TIMEOUT = Duration.ofMillis(500);
    private static final Duration MOST_TIMEOUT = Duration.ofMinutes(30);
    private static final Duration MOST_GIVE_UP = Duration.ofMinutes(10);

    private final Deployment deployment;
    private final Lanes lanes;
    private String member; // null: all lanes run here
    private Duration sessionTimeout = Duration.ofSeconds(6);
    private Duration giveUpLimit = Duration.ofSeconds(30);
    private Consumer<? super LaneChange> onLane = change -> {};

    LanedDeployment(Deployment deployment, Lanes lanes) {
        this.deployment = deployment;
        this.lanes = lanes;
    }

    /**
     * Shares the lanes with the other processes that run the same parts of the chain: each lane runs in one of them.
     *
     * @param name of this process: no other one has it, and it keeps it when it is started again, so that it gets its
     *     lanes back without a word to the others
     */
    public LanedDeployment member(String name) {
        Objects.requireNonNull(name, "member name");
        if (!MEMBER.matcher(name).matches()) {
            throw new IllegalArgumentException("member name '" + name
                    + "'; allowed are up to 100 letters, digits, '.', '_' and '-', beginning with a letter or digit");
        }
        member = name;
        return this;
    }

    /**
     * After which silence a member's lanes go to others, 500 ms to 30 min; six seconds unless said otherwise, which is the
     * least that Kafka's brokers allow unless told otherwise. The same in all members.
     */
    public LanedDeployment sessionTimeout(Duration silence) {
        check("session timeout", silence, LEAST_TIMEOUT, MOST_TIMEOUT);
        sessionTimeout = silence;
        return this;
    }

    /**
     * How long lanes that go to others may pass on and store what is in hand, 0 to 10 min; 30 seconds unless said otherwise,
     * as a frame may stay unconfirmed over Kafka. The others wait; a lane that goes earlier may still be written to.
     */
    public LanedDeployment giveUpWithin(Duration limit) {
        check("time to give lanes up", limit, Duration.ZERO, MOST_GIVE_UP);
        giveUpLimit = limit;
        return this;
    }

    /** Told of every lane that comes and goes, on the thread that brings it; it must not close the lanes from there. */
    public LanedDeployment onLane(Consumer<? super LaneChange> listener) {
        onLane = Objects.requireNonNull(listener, "lane listener");
        return this;
    }

    /**
     * Creates the topics that are missing and runs all lanes, or joins the group and returns before there are any. A lane
     * that fails stops alone: the others go on, and it stays with its member, which may be closed and started again.
     *
     * @throws IllegalArgumentException when the transport cannot share lanes between processes
     * @throws dev.baton.spi.TransportException when the transport cannot do it; nothing is left open
     */
    public RunningLanes start() {
        deployment.check();
        if (deployment.hasSource()) {
            throw new IllegalArgumentException("a source feeds one topic, and each of " + lanes.count()
                    + " lanes begins with one; send by inlet()");
        }
        List<Integer> parts = deployment.parts();
        if (member != null && !deployment.transport().sharesLanes()) {
            throw new IllegalArgumentException("transport "
                    + deployment.transport().name() + " cannot share lanes between processes, so '" + member
                    + "' cannot be a member; run all lanes here, or take a transport that can, as kafka");
        }
        if (member != null && parts.isEmpty()) {
            throw new IllegalArgumentException("member '" + member + "' runs neither a service nor the outlet");
        }
        if (member != null && deployment.loops().isManual()) {
            throw new IllegalArgumentException("lanes come to member '" + member
                    + "' on another thread than the one that turns manual loops; take Loops.cooperative(1), say");
        }
        deployment.transport().createTopics(topics());
        RunningLanes running =
                new RunningLanes(deployment, lanes, onLane, member == null ? null : group(parts), giveUpLimit);
        running.start();
        return running;
    }

    private List<String> topics() {
        List<String> names = new ArrayList<>();
        IntStream.range(0, deployment.chain().hops())
                .forEach(index -> IntStream.range(0, lanes.count())
                        .forEach(lane -> names.add(lanes.topic(deployment.topic(index), lane))));
        return names;
    }

    /** Processes that run the same parts are one group; others have lanes of their own to share. */
    private LaneGroup group(List<Integer> parts) {
        List<String> services = deployment.chain().services();
        String here = parts.stream()
                .map(part -> part == services.size() ? Chain.OUTLET : services.get(part))
                .collect(Collectors.joining("+"));
        String first = deployment.topic(parts.get(0));
        return new LaneGroup(first + "@" + here, first, lanes.count(), member, sessionTimeout, giveUpLimit);
    }

    private static void check(String what, Duration value, Duration least, Duration most) {
        Objects.requireNonNull(value, what);
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(what + " of " + inMillis(value) + " ms; " + least.toMillis() + " to "
                    + most.toMillis() + " ms is allowed");
        }
    }

    private static String inMillis(Duration value) {
        return BigDecimal.valueOf(value.getSeconds(), -3)
                .add(BigDecimal.valueOf(value.getNano() / 1_000_000))
                .toPlainString();
    }
}
