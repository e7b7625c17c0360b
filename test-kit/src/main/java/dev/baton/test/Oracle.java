package dev.baton.test;

import dev.baton.Chain;
import dev.baton.Message;
import dev.baton.test.guard.Sent;
import dev.baton.test.memory.MemoryTopic;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The outputs of the undisturbed run, against which every other run is compared: those for each input at each complete delivery, and the
 * final content of each topic. Deliveries that only rebuild a state ({@link Message#isRedelivered}) are not compared, as their outputs are
 * dropped. Single-threaded.
 */
final class Oracle {
    /** Keeps the order of messages with the same key, as their sort is stable; those without a key count as one key. */
    private static final Comparator<Sent> BY_KEY =
            Comparator.comparing(Sent::key, Comparator.nullsFirst(Comparator.naturalOrder()));

    private record Place(String service, long input) {}

    private record Handled(Sent content, List<Sent> outputs) {}

    /** The content of a topic: messages that inputs caused and messages that ticks sent, each in order. */
    private record Content(List<Sent> byInputs, List<Sent> byTicks) {}

    private final Chain chain;
    private final Map<Place, Handled> handled = new HashMap<>();
    private final List<Content> topics =
            new ArrayList<>(); // of each service; empty until the undisturbed run has ended

    Oracle(Chain chain) {
        this.chain = chain;
    }

    /** Compares a complete delivery, and returns the difference; null for none. */
    Mismatch compare(String service, Message in, List<Sent> outputs) {
        if (in.isRedelivered()) {
            return null;
        }
        Place place = new Place(service, in.sequence());
        Handled known = handled.get(place);
        Handled now = new Handled(content(in), List.copyOf(outputs));
        if (known == null) {
            if (topics.isEmpty()) {
                handled.put(place, now);
            }
            return null; // the inputs differ already
        }
        return known.outputs.equals(now.outputs) || !known.content.equals(now.content)
                ? null
                : Mismatch.ofInput(service, in.sequence(), now.content, known.outputs, now.outputs);
    }

    private static Sent content(Message in) {
        return new Sent(in.type(), Sent.copy(in.key()), Sent.copy(in.payload()));
    }

    /** Records the topics of the undisturbed run, or compares those of another one, and returns the difference; null for none. */
    Mismatch compare(Rig rig) {
        List<Content> found = new ArrayList<>();
        boolean isOrderOfKeys = false; // from the first service on that sets inputs aside
        for (int i = 1; i < chain.hops(); i++) {
            isOrderOfKeys |= rig.setsAside(chain.services().get(i - 1));
            Content content = content(rig.topic(i));
            if (isOrderOfKeys) {
                content.byInputs.sort(BY_KEY);
            }
            found.add(content);
        }
        if (topics.isEmpty()) {
            topics.addAll(found);
            return null;
        }
        for (int i = 0; i < found.size(); i++) {
            String service = chain.services().get(i);
            Content before = topics.get(i);
            if (!before.byInputs.equals(found.get(i).byInputs)) {
                return Mismatch.ofTopic(service, "what inputs led to", before.byInputs, found.get(i).byInputs);
            }
            if (!before.byTicks.equals(found.get(i).byTicks)) {
                return Mismatch.ofTopic(service, "what its ticks sent", before.byTicks, found.get(i).byTicks);
            }
        }
        return null;
    }

    private static Content content(MemoryTopic topic) {
        Content content = new Content(new ArrayList<>(), new ArrayList<>());
        for (long i = 1; i <= topic.size(); i++) {
            Output output = new Output(topic.name, topic.frame(i));
            (output.isOfTick() ? content.byTicks : content.byInputs)
                    .add(new Sent(output.type(), output.key(), output.payload()));
        }
        return content;
    }
}
