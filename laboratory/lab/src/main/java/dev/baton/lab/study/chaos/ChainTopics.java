package dev.baton.lab.study.chaos;

import dev.baton.deadletters.DeadLetter;
import dev.baton.lab.study.chaos.audit.Account;
import dev.baton.lab.study.chaos.audit.FailingService;
import dev.baton.lab.study.chaos.audit.NumberedMessage;
import dev.baton.lab.study.chaos.audit.ProvidedNumbers;
import dev.baton.lab.study.chaos.audit.SumOfNumbers;
import dev.baton.lab.study.chaos.audit.TopicAudit;
import dev.baton.lab.study.chaos.audit.WindowResults;
import dev.baton.lab.trial.Transports;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.settings.Subject;
import dev.baton.operations.verify.Audit;
import dev.baton.spi.Connection;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The topics of one life of a chain, as the laboratory reads them and deletes them, and what each of them has to hold.
 * Confined to one thread.
 */
final class ChainTopics {
    private static final Duration LOOK_LIMIT = Duration.ofSeconds(30);
    private static final long RETRY_MILLIS = 500;

    private final ChaosPlan plan;
    private final Subject subject;
    private final ChainProcesses processes;
    private final ProvidedNumbers provided; // null: numbered messages
    private final Composition composition; // null: there is no branch and no merge
    private final List<BitSet> deleted; // by topic: numbers that it need not hold
    long deletedFirst; // numbers of before the first topic that there is now

    /**
     * Creates the topics.
     *
     * @param processes that write them
     */
    ChainTopics(ChaosPlan plan, Subject subject, ChainProcesses processes) {
        this.plan = plan;
        this.subject = subject;
        this.processes = processes;
        provided = plan.chain() == null ? null : ProvidedNumbers.of(plan.chain(), plan.seed());
        composition = plan.isComposed() ? new Composition(plan.services()) : null;
        deleted = Stream.generate(BitSet::new).limit(plan.services() + 1).toList();
    }

    Set<String> names() {
        return Stream.of(
                        IntStream.rangeClosed(0, plan.services()).mapToObj(ChainScenario::topic),
                        hasLetters() ? Stream.of(lettersTopic()) : Stream.<String>empty(),
                        plan.hasWindow() ? Stream.of(snapshots()) : Stream.<String>empty(),
                        composition == null ? Stream.<String>empty() : composition.topics().stream())
                .flatMap(each -> each)
                .collect(Collectors.toSet());
    }

    /** Returns the existing topics, in order. */
    Set<String> present() {
        return patiently(transport -> {
            Set<String> there = new TreeSet<>(transport.topics());
            there.retainAll(names());
            return there;
        });
    }

    /** Deletes the existing topics. */
    void delete() {
        patiently(transport -> {
            transport.deleteTopics(names());
            return null;
        });
    }

    /** Returns the number of messages that were sent according to the first topic, those deleted with an earlier one included. */
    long sent() {
        return patiently(transport -> {
            if (plan.setUp().isVolatile()) { // the sender has ended, and no other process writes the topic
                try (Connection connection = transport.connect()) {
                    return connection.openWriter(ChainScenario.topic(0)).sequence();
                }
            }
            try (TopicInspector first = transport.inspect(ChainScenario.topic(0))) {
                return deletedFirst + first.newestSequence();
            }
        });
    }

    private String snapshots() {
        return ChainScenario.topic(window() - 1) + ".snapshots";
    }

    /** The service that is a window; the topics from its own on hold results. */
    private int window() {
        return FaultSchedule.summing(plan.services());
    }

    private boolean hasLetters() {
        return plan.failing() > 0;
    }

    private String lettersTopic() {
        return ChainScenario.topic(plan.failing() - 1) + ".dead-letters";
    }

    /** {@return the number of dead letters} */
    long letters() {
        return hasLetters() ? patiently(transport -> (long) letters(transport).cardinality()) : 0;
    }

    /** Returns the numbers of dead letters; a letter that occurs twice counts once. */
    private BitSet letters(Transport transport) {
        BitSet numbers = new BitSet();
        DeadLetter.readAll(transport, lettersTopic(), letter -> {
            ByteBuffer payload = ByteBuffer.wrap(letter.payload()).order(ByteOrder.LITTLE_ENDIAN);
            if (NumberedMessage.isWhole(payload::getLong, letter.payload().length, plan.seed())) {
                numbers.set((int) NumberedMessage.number(payload::getLong));
            }
        });
        return numbers;
    }

    /**
     * Audits all topics, or those in front of a window; where topics keep nothing, compares the ends of the chain.
     *
     * @param sent messages in the first topic
     * @param settled the newest number that has come out
     */
    List<Account.Topic> audit(long sent, long settled) {
        if (plan.setUp().isVolatile()) {
            return List.of(
                    Account.Topic.counted(ChainScenario.topic(0), sent),
                    Account.Topic.counted(ChainScenario.topic(plan.services()), settled));
        }
        if (provided != null) {
            return patiently(this::auditProvided);
        }
        int last = plan.hasWindow() ? window() - 1 : plan.services();
        return patiently(transport -> IntStream.rangeClosed(0, last)
                .mapToObj(index -> TopicAudit.of(transport, ChainScenario.topic(index), expectation(transport, index)))
                .toList());
    }

    /** {@return the edges of the branch and the merge in addition to the chain, or of a window; empty where there are none} */
    List<Account.Edge> edges() {
        if (plan.hasWindow()) {
            return patiently(this::results);
        }
        return composition == null
                ? List.of()
                : patiently(transport -> composition.audit(
                        transport, expectation(transport, 1), expectation(transport, plan.services())));
    }

    /** Compares what a window has sent, and what followed from it, with the results that its inputs require. */
    private List<Account.Edge> results(Transport transport) {
        BitSet inputs = numbers(transport, window() - 1);
        inputs.andNot(letters(transport));
        WindowResults due = WindowResults.of(window(), inputs);
        return IntStream.rangeClosed(window(), plan.services())
                .mapToObj(index -> {
                    Account.Topic topic = TopicAudit.of(
                            transport, ChainScenario.topic(index), TopicAudit.Expectation.of(due.at(index)));
                    return new Account.Edge(ChainScenario.topic(window() - 1), topic, due.due() - topic.highest());
                })
                .toList();
    }

    /** The topic that a service, the branch or the merge writes. */
    String writtenBy(String process) {
        return composition == null
                ? ChainScenario.topic(FaultSchedule.numberOf(process))
                : composition.writtenBy(process);
    }

    /** {@return the faults that {@code baton verify} finds in all of them} */
    List<String> verify() {
        return patiently(transport -> new Audit(transport, (audit, ofAbout) -> {}, () -> false)
                .of(names()).stream()
                        .filter(topic -> !topic.isClean())
                        .map(topic -> "verify: topic " + topic.topic() + ": " + String.join("; ", topic.told()))
                        .toList());
    }

    /** Audits the topics of a provided chain: messages without an output may be missing after the first topic. */
    private List<Account.Topic> auditProvided(Transport transport) {
        Account.Topic first = auditProvided(transport, 0, new BitSet());
        BitSet filtered = provided.filtered(first.highest());
        Stream<Account.Topic> further = IntStream.rangeClosed(1, plan.services())
                .mapToObj(index -> auditProvided(transport, index, filtered))
                .map(topic -> topic.upTo(passed(topic.highest(), first.highest())));
        return Stream.concat(Stream.of(first), further).toList();
    }

    private Account.Topic auditProvided(Transport transport, int index, BitSet filtered) {
        return TopicAudit.of(
                transport, ChainScenario.topic(index), TopicAudit.Expectation.of(processes.slots(), index, filtered));
    }

    /** {@return whether the end of the chain still has messages that come out when the summing service ends in order} */
    boolean hasRest() {
        return provided == null && !plan.hasWindow();
    }

    /** Returns the newest number that the receiver has to get for this many sent messages. */
    long newestDue(long sent) {
        if (plan.hasWindow()) {
            return WindowResults.due(hasLetters() && FailingService.isFailing(sent) ? sent - 1 : sent);
        }
        return provided == null ? sent - SumOfNumbers.INPUTS + 1 : provided.newestDue(sent);
    }

    /** {@return the number up to which messages have passed the chain, from the newest output and the number of sent messages} */
    long passed(long newest, long sent) {
        if (plan.hasWindow()) {
            return newest >= newestDue(sent) ? sent : WindowResults.newestCounted(newest);
        }
        return provided == null ? newest : provided.passed(newest, sent);
    }

    /** {@return whether a message has no output} */
    boolean isFiltered(long number) {
        if (plan.hasWindow()) {
            return false;
        }
        return provided == null ? hasLetters() && FailingService.isFailing(number) : provided.isFiltered(number);
    }

    private TopicAudit.Expectation expectation(Transport transport, int index) {
        boolean isBehind = hasLetters() && index >= plan.failing();
        return new TopicAudit.Expectation(
                index,
                FaultSchedule.summing(plan.services()),
                plan.seed(),
                deleted.get(index),
                isBehind ? letters(transport) : new BitSet(),
                processes.orderlyEndsOfSumming);
    }

    /**
     * Deletes a topic while the chain is stopped.
     *
     * @param received the newest number that the receiver got
     * @return the numbers that are in no later topic: they are lost
     */
    BitSet delete(int index, long received) {
        return patiently(transport -> {
            BitSet held = numbers(transport, index);
            BitSet gone = (BitSet) held.clone();
            if (index < plan.services()) {
                gone.andNot(numbers(transport, index + 1));
                gone.andNot(deleted.get(index + 1));
            } else {
                gone.clear(0, (int) received + 1);
            }
            transport.deleteTopics(List.of(ChainScenario.topic(index)));
            deleted.get(index).or(held);
            deleted.subList(index + 1, deleted.size()).forEach(each -> each.or(gone));
            if (index == 0) {
                deletedFirst = Math.max(deletedFirst, held.length() - 1);
            }
            return gone;
        });
    }

    private BitSet numbers(Transport transport, int index) {
        return TopicAudit.numbers(transport, ChainScenario.topic(index), expectation(transport, index));
    }

    /** A cluster that has just lost something may refuse at first. */
    private <T> T patiently(Function<Transport, T> look) {
        long deadline = System.nanoTime() + LOOK_LIMIT.toNanos();
        while (true) {
            try (Transport transport = Transports.named(subject.transport()).open(subject.options())) {
                return look.apply(transport);
            } catch (TransportException refused) {
                if (deadline - System.nanoTime() < 0) {
                    throw new CommandException(
                            CommandException.Kind.FAILURE,
                            "the topics cannot be read: " + refused.getMessage(),
                            refused);
                }
                ChainScenario.sleep(RETRY_MILLIS);
            }
        }
    }
}
