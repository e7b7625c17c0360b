package dev.baton.simulation.world;

import dev.baton.BackPressureException;
import dev.baton.ChainClosedException;
import dev.baton.ChainFailedException;
import dev.baton.RequestFailedException;
import dev.baton.simulation.plan.Reached;
import dev.baton.simulation.plan.Rule;
import dev.baton.simulation.plan.Setting;
import dev.baton.spi.Cause;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeoutException;

/**
 * The requests in the account: the outputs of a request's frame belong to it, there is at least one, and the request ended with the first
 * of them in the last topic, or for a reason. Single-threaded.
 */
final class RequestAccount {
    private static final long AT_ONCE_NANOS = 5 * Setting.MILLIS; // for a refusal, while other threads take long steps

    /** A request that got a reply: a payload, nothing, or null for that of a service that gave up. */
    private record Replied(long request, Optional<Long> reply) {}

    private final World world;
    private final GuaranteeAccount account;
    private final List<Long> ids = new ArrayList<>(); // payloads of requests that have an id
    private final List<Replied> replied = new ArrayList<>();

    RequestAccount(World world, GuaranteeAccount account) {
        this.world = world;
        this.account = account;
    }

    /** {@return the payloads of requests that have an id} */
    List<Long> ids() {
        return ids;
    }

    /** {@return the id of a request, which has it from now on} */
    UUID id(long payload) {
        if (!ids.contains(payload)) {
            ids.add(payload);
        }
        return UUID.nameUUIDFromBytes(Long.toString(payload).getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Records the end of a request.
     *
     * @param waited time since it was sent
     * @param isClosed whether the requests of its process were closed
     */
    void ended(
            Run run,
            long request,
            Optional<Long> reply,
            Throwable failure,
            long waited,
            long timeout,
            boolean isClosed) {
        world.trace.fact(request);
        world.says("request " + request + " ends with " + (failure == null ? reply : failure));
        if (failure == null) {
            if (replied.stream().anyMatch(each -> each.request == request)) {
                world.reached(Reached.RESEND_REPLIED);
            }
            replied.add(new Replied(request, reply));
            world.reached(Reached.REQUEST_REPLIED);
        } else if (failure instanceof RequestFailedException && world.setting.skips) {
            replied.add(new Replied(request, null));
        } else if (failure instanceof ChainFailedException) {
            account.refused(run, failure);
        } else {
            boolean isDue = failure instanceof TimeoutException
                    ? waited >= timeout
                    : failure instanceof ChainClosedException
                            ? isClosed || run.hasFailed
                            : failure instanceof BackPressureException
                                    && (waited < AT_ONCE_NANOS || run.process.wasPaused);
            if (!isDue) {
                account.violate(Rule.REPLIED_WRONGLY, "request " + request + " fails with " + failure, failure);
            }
        }
    }

    /** {@return whether every frame of a request has led to an output} */
    boolean isComplete() {
        return !world.setting.asks || unanswered() == null;
    }

    private String unanswered() {
        for (int partition = 0; partition < world.setting.partitions; partition++) {
            for (int i = 0; i < world.setting.steps.size(); i++) {
                String unanswered = unanswered(account.topic(partition, i), account.topic(partition, i + 1));
                if (unanswered != null) {
                    return unanswered;
                }
            }
        }
        return null;
    }

    private String unanswered(String input, String output) {
        Set<Long> causes = new HashSet<>();
        for (SimTopic.Entry entry : counted(output)) {
            if (entry.request != null) {
                causes.add(Cause.input(entry.cause));
            }
        }
        for (SimTopic.Entry entry : counted(input)) {
            if (entry.request != null && !causes.contains(entry.sequence)) {
                return "frame " + entry.sequence + " of " + input + " has led to no frame of its request";
            }
        }
        return null;
    }

    /**
     * Returns whether a reply is a later output of the request with the same id that a rival sent: a replaced process that asks with it
     * between the outputs does not know of the rival's request (docs/requests.md).
     */
    private boolean isOfRival(SimTopic.Entry due, Replied got, List<SimTopic.Entry> last) {
        return world.setting.resends
                && world.setting.spread == Setting.Spread.RIVALS
                && due != null
                && got.reply != null
                && last.stream()
                        .anyMatch(entry -> Objects.equals(entry.request, due.request)
                                && entry.kind == SimTopic.Kind.MESSAGE
                                && got.reply.equals(Optional.of(entry.payload)));
    }

    private List<SimTopic.Entry> counted(String name) {
        SimTopic topic = world.storage.find(name);
        return topic == null
                ? List.of()
                : topic.log.stream().filter(SimTopic.Entry::isFrame).toList();
    }

    /** Makes the last checks, after everything had time to come out. */
    void check() {
        if (!world.setting.asks || account.isTampered) {
            return;
        }
        String unanswered = unanswered();
        if (unanswered != null) {
            account.violate(Rule.LOST, unanswered, null);
        }
        Map<SimTopic.Mark, SimTopic.Entry> first = new HashMap<>();
        List<SimTopic.Entry> last = new ArrayList<>(); // of the last topics
        Map<Long, SimTopic.Mark> marks = new HashMap<>(); // by the payload of the request
        for (int partition = 0; partition < world.setting.partitions; partition++) {
            for (SimTopic.Entry entry : counted(account.topic(partition, 0))) {
                marks.put(entry.payload, entry.request);
            }
            for (int i = 0; i < world.setting.steps.size(); i++) {
                boolean mayRepeat = world.setting.steps.get(i) == Setting.Step.FAN_OUT && !world.setting.isAtomic;
                checkEdge(account.topic(partition, i), account.topic(partition, i + 1), mayRepeat);
            }
            for (SimTopic.Entry entry : counted(account.topic(partition, world.setting.steps.size()))) {
                first.putIfAbsent(entry.request, entry);
                last.add(entry);
            }
        }
        for (Replied each : replied) {
            SimTopic.Entry due = marks.get(each.request) == null ? null : first.get(marks.get(each.request));
            boolean isRight = due != null
                    && (each.reply == null
                            ? due.kind == SimTopic.Kind.FAILED
                            : due.kind == (each.reply.isEmpty() ? SimTopic.Kind.EMPTY : SimTopic.Kind.MESSAGE)
                                    && each.reply.orElse(due.payload) == due.payload);
            if (!isRight && !isOfRival(due, each, last)) {
                account.violate(
                        Rule.REPLIED_WRONGLY,
                        "request " + each.request + " got " + each.reply + ", its first output is "
                                + (due == null ? "missing" : due.kind + " " + due.payload),
                        null);
            }
        }
    }

    /**
     * Checks that frames belong to the request of their input, and that an input has one reply in place of outputs at most.
     *
     * @param mayRepeat whether a reply is repeated at a restart, as the first of several outputs is
     */
    private void checkEdge(String inputName, String outputName, boolean mayRepeat) {
        Map<Long, SimTopic.Entry> inputs = new HashMap<>();
        counted(inputName).forEach(entry -> inputs.put(entry.sequence, entry));
        Set<Long> replies = new HashSet<>();
        for (SimTopic.Entry output : counted(outputName)) {
            SimTopic.Entry input = inputs.get(Cause.input(output.cause));
            SimTopic.Mark due = input == null || Cause.isOfTick(output.cause) ? null : input.request;
            boolean isSecond = output.kind != SimTopic.Kind.MESSAGE && !replies.add(output.cause) && !mayRepeat;
            if (due == null ? output.request != null : !due.equals(output.request) || isSecond) {
                account.violate(
                        isSecond ? Rule.REPEATED : Rule.REPLIED_WRONGLY,
                        outputName + " frame " + output.sequence + " (" + output.kind + ") belongs to " + output.request
                                + ", its input to " + due,
                        null);
            }
        }
    }
}
