package dev.baton.operations.replay;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The result of a {@link Replay}. Immutable, thread-safe.
 *
 * @param parts result of each service, of a chain with partitions of each of its partitions, in the order of the chain
 */
public record ReplayComparison(List<Part> parts) {
    /**
     * The result of one service.
     *
     * @param service name of the service
     * @param input topic of its inputs
     * @param output topic of its recorded outputs
     * @param inputs number of replayed inputs
     * @param same number of equal outputs
     * @param firstInput sequence of the first input, 0 for none
     * @param difference first difference; null for none
     * @param differences number of differences of each kind; {@link ReplayDifference.Kind#THROWN} ends the replay
     * @param fields number of outputs in which each field of the decoded value changed
     * @param isRepeatable whether a second replay had the same first difference; true where there was no second replay
     * @param nanos duration of the replay
     */
    public record Part(
            String service,
            String input,
            String output,
            long inputs,
            long same,
            long firstInput,
            ReplayDifference difference,
            Map<ReplayDifference.Kind, Long> differences,
            Map<String, Long> fields,
            boolean isRepeatable,
            long nanos) {
        public Part {
            differences = copy(differences);
            fields = new TreeMap<>(fields);
        }

        @Override
        public Map<ReplayDifference.Kind, Long> differences() {
            return copy(differences);
        }

        @Override
        public Map<String, Long> fields() {
            return new TreeMap<>(fields);
        }

        private static Map<ReplayDifference.Kind, Long> copy(Map<ReplayDifference.Kind, Long> counts) {
            Map<ReplayDifference.Kind, Long> copy = new EnumMap<>(ReplayDifference.Kind.class);
            copy.putAll(counts);
            return copy;
        }

        Part notRepeatable() {
            return new Part(
                    service, input, output, inputs, same, firstInput, difference, differences, fields, false, nanos);
        }

        /** {@return one line: the service, its inputs, its equal outputs, and its differences by kind} */
        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(service + ": " + inputs + " inputs, " + same + " equal outputs");
            differences.forEach((kind, count) ->
                    text.append(", ").append(kind.text()).append(' ').append(count));
            return fields.isEmpty()
                    ? text.toString()
                    : text.append(' ').append(fields).toString();
        }
    }

    public ReplayComparison {
        parts = List.copyOf(parts);
    }

    /** {@return whether every output was the same} */
    public boolean isSame() {
        return parts.stream().allMatch(part -> part.difference() == null);
    }

    /**
     * {@return the result of a service; with partitions, of the first one of them}
     *
     * @param service name of a service that was replayed
     */
    public Part of(String service) {
        return parts.stream()
                .filter(part -> part.service().equals(service))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("service " + service + " was not replayed"));
    }

    /** {@return the number of differences of each kind, in all services} */
    public Map<ReplayDifference.Kind, Long> differences() {
        Map<ReplayDifference.Kind, Long> sum = new EnumMap<>(ReplayDifference.Kind.class);
        parts.forEach(part -> part.differences().forEach((kind, count) -> sum.merge(kind, count, Long::sum)));
        return sum;
    }

    /** {@return one line for each part, for the message of a failed test} */
    @Override
    public String toString() {
        return String.join("\n", parts.stream().map(Part::toString).toList());
    }
}
