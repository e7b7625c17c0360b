package dev.baton.lab.matrix;

import dev.baton.lab.launch.PlannedTrial;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

/**
 * The trials of a matrix in the order in which they run: in rounds, in each of which every variant has its turn, in an
 * order drawn from the seed. So a slow hour of the machine falls upon all alike. The first variant that can be run takes
 * part twice, under two names: the A/A pair, whose difference is chance. Immutable, thread-safe.
 *
 * @param variants all rows, the second half of the A/A pair last
 */
public record RoundOrder(List<Variant> variants, List<Turn> turns) {
    /** A JVM that starts, opens, drains and ends; 2 to 5 s were seen. */
    private static final Duration AROUND_A_TRIAL = Duration.ofSeconds(4);

    /** Kafka's, formatted and started for each trial. */
    private static final Duration BROKER = Duration.ofSeconds(10);

    private static final int LONGEST_SLUG = 60;

    /** One turn of one variant. @param variant index among {@link #variants()} */
    public record Turn(int variant, PlannedTrial trial) {}

    public RoundOrder {
        variants = List.copyOf(variants);
        turns = List.copyOf(turns);
    }

    /**
     * Creates a schedule.
     *
     * @param asked variants, at least one
     * @param rounds number of runs of each, 1 or more
     */
    public static RoundOrder of(List<Variant> asked, int rounds, long seed) {
        List<Variant> variants = new ArrayList<>(asked);
        asked.stream().filter(each -> !each.isSkipped()).findFirst().ifPresent(first -> variants.add(first.again()));
        Map<String, Long> namesOfSlugs = variants.stream()
                .map(RoundOrder::plainName)
                .distinct()
                .collect(Collectors.groupingBy(RoundOrder::slug, Collectors.counting()));
        Random order = new Random(seed);
        List<Turn> turns = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            List<Turn> ofRound = new ArrayList<>();
            for (int i = 0; i < variants.size(); i++) {
                if (!variants.get(i).isSkipped()) {
                    ofRound.add(new Turn(i, named(variants.get(i), i + 1, round, namesOfSlugs)));
                }
            }
            Collections.shuffle(ofRound, order);
            turns.addAll(ofRound);
        }
        return new RoundOrder(variants, turns);
    }

    private static String plainName(Variant variant) {
        return variant.isAgain()
                ? variant.name().substring(0, variant.name().length() - Variant.AGAIN.length())
                : variant.name();
    }

    private static PlannedTrial named(Variant variant, int number, int round, Map<String, Long> namesOfSlugs) {
        String name = plainName(variant);
        String slug = slug(name);
        String id = String.format(
                Locale.ROOT,
                "%02d.%d-%s%s",
                number,
                round,
                namesOfSlugs.get(slug) == 1 ? slug : withChecksum(slug, name), // results are grouped by this name
                variant.isAgain() ? "-" + slug(Variant.AGAIN) : "");
        return variant.trial().named(id);
    }

    /** Returns a name as it may be in a file's; a long one is cut, and then has the checksum of the whole: names differ at their ends. */
    private static String slug(String name) {
        String slug = name.replaceAll("[^A-Za-z0-9.]+", "-").replaceAll("^[-.]+|-+$", "");
        return slug.length() <= LONGEST_SLUG ? slug : withChecksum(slug.substring(0, LONGEST_SLUG), name);
    }

    /** Returns a part of a file's name that also differs where names do so only in characters that it cannot have, such as signs of flags. */
    private static String withChecksum(String slug, String name) {
        CRC32 checksum = new CRC32();
        checksum.update(name.getBytes(StandardCharsets.UTF_8));
        return String.format(Locale.ROOT, "%s-%08x", slug, checksum.getValue());
    }

    /** {@return its estimated duration} */
    public Duration estimate() {
        return turns.stream().map(turn -> estimate(turn.trial())).reduce(Duration.ZERO, Duration::plus);
    }

    /** Estimates the duration of one trial with its start and end. */
    public static Duration estimate(PlannedTrial trial) {
        Duration measured = Duration.ofNanos(
                trial.plan().phases().warmupNanos() + trial.plan().phases().measureNanos());
        Duration around = AROUND_A_TRIAL.plus(BROKER.multipliedBy(trial.brokers()));
        return measured.plus(around);
    }
}
