package dev.baton.proofs;

import dev.baton.proofs.Jcstress.Outcome;
import dev.baton.proofs.Verdicts.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The main class of {@code proofs/run}: runs the proofs of the engine's hand-overs between threads in jcstress, and prints the results.
 * Exit codes are those of {@code baton}. Single-threaded.
 */
public final class Proofs {
    private static final int HELD = 0;
    private static final int FAILED = 1;
    private static final int USAGE = 2;
    private static final int NOT_RUN = 3;
    private static final int NOT_SETTLED = 4;

    /** A proof with fewer samples is inconclusive; an idle machine has a hundred times as many. */
    private static final long LEAST_SAMPLES = 5_000;

    /** The number of times that a proof with too few samples is run, and a mutant before it counts as undetected. */
    private static final int MOST_ROUNDS = 5;

    private final Path target;
    private final Jcstress jcstress;
    private final String selection;

    private Proofs(Path root, List<String> flags, String selection) {
        this.target = root.resolve("proofs/target/runs");
        this.jcstress = new Jcstress(target, flags);
        this.selection = selection;
    }

    /**
     * Runs and exits.
     *
     * @param args root of the sources, flags of the JVMs in one word, then the user's arguments
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        List<String> typed = Arrays.asList(args).subList(2, args.length);
        String mode = typed.isEmpty() ? "quick" : typed.get(0);
        String selection = typed.size() < 2 ? "." : typed.get(1);
        String wrong = wrong(mode, selection, typed.size());
        if (wrong != null) {
            System.err.println(wrong);
            System.exit(USAGE);
        }
        Proofs proofs = new Proofs(Path.of(args[0]), List.of(args[1].split(" ")), selection);
        Runtime.getRuntime().addShutdownHook(new Thread(proofs.jcstress::stop, "proofs-stop"));
        System.exit(
                mode.equals("mutants") ? proofs.mutants() : proofs.prove(Mode.valueOf(mode.toUpperCase(Locale.ROOT))));
    }

    private static String wrong(String mode, String selection, int words) {
        if (!List.of("quick", "full", "mutants").contains(mode)) {
            return "there is no mode '" + mode + "'; quick, full or mutants are allowed: proofs/run quick";
        }
        if (words > 2) {
            return "a mode and a selection are allowed, " + words + " words were given: proofs/run quick Ring";
        }
        try {
            Pattern.compile(selection);
            return null;
        } catch (PatternSyntaxException bad) {
            return "the selection '" + selection + "' is no regular expression (" + bad.getDescription()
                    + "): proofs/run quick 'Ring|Loop'";
        }
    }

    private int prove(Mode mode) throws IOException, InterruptedException {
        List<String> names = Mutants.ALL.stream()
                .map(mutant -> mutant.proof().getName())
                .distinct()
                .filter(name -> Pattern.compile(selection).matcher(name).find())
                .toList();
        if (names.isEmpty()) {
            return nothingSelected();
        }
        System.out.println(names.size() + " proofs, " + mode.name().toLowerCase(Locale.ROOT) + ", JDK "
                + Runtime.version() + ", " + System.getProperty("os.arch") + ", "
                + Runtime.getRuntime().availableProcessors() + " cores");
        List<String> left = names;
        for (int round = 1; round <= MOST_ROUNDS && !left.isEmpty(); round++) {
            Outcome outcome = jcstress.run(mode, "^(" + String.join("|", left) + ")$", null);
            List<Verdict> verdicts = Verdicts.of(outcome.results()).all();
            verdicts.forEach(Proofs::print);
            if (outcome.exitCode() != 0 || verdicts.size() != left.size()) {
                System.err.println(outcome.isForbiddenSeen() ? "a forbidden outcome was seen" : outcome.output());
                return outcome.isForbiddenSeen() ? FAILED : NOT_RUN;
            }
            left = verdicts.stream()
                    .filter(verdict -> verdict.samples() < LEAST_SAMPLES)
                    .map(Verdict::proof)
                    .toList();
        }
        if (!left.isEmpty()) {
            System.err.println("too few samples in " + MOST_ROUNDS
                    + " rounds to say anything, on a machine that others use: " + String.join(", ", left));
            return NOT_SETTLED;
        }
        return HELD;
    }

    private static void print(Verdict verdict) {
        System.out.printf(
                Locale.ROOT,
                "  %-7s %,12d samples  %s%n",
                !verdict.isHeld() ? "FAILED" : verdict.samples() < LEAST_SAMPLES ? "too few" : "holds",
                verdict.samples(),
                verdict.proof());
        verdict.table().forEach(row -> System.out.println("            " + row));
    }

    private int mutants() throws IOException, InterruptedException {
        boolean isAnyMissed = false;
        List<Mutant> chosen = Mutants.ALL.stream()
                .filter(mutant -> Pattern.compile(selection)
                        .matcher(mutant.proof().getName())
                        .find())
                .toList();
        if (chosen.isEmpty()) {
            return nothingSelected();
        }
        for (Mutant mutant : chosen) {
            String seen = mutant.isHidden() && keepsStoresInOrder() ? "hidden" : noticed(mutant);
            isAnyMissed |= seen.startsWith("MISSED");
            System.out.printf("  %-22s %-24s %s%n", seen, mutant.proof().getSimpleName(), mutant.name());
        }
        return isAnyMissed ? FAILED : HELD;
    }

    private String noticed(Mutant mutant) throws IOException, InterruptedException {
        Path classes = target.resolve("mutant-" + Mutants.ALL.indexOf(mutant));
        mutant.write(classes);
        for (int round = 1; round <= MOST_ROUNDS; round++) {
            if (jcstress.run(Mode.MUTANT, mutant.proof().getName() + "$", classes)
                    .isForbiddenSeen()) {
                return "noticed in round " + round;
            }
        }
        return "MISSED in " + MOST_ROUNDS + " rounds";
    }

    private int nothingSelected() {
        System.err.println("no proof matches '" + selection + "'; these are there: "
                + String.join(
                        ", ",
                        Mutants.ALL.stream()
                                .map(mutant -> mutant.proof().getSimpleName())
                                .distinct()
                                .toList()));
        return USAGE;
    }

    private static boolean keepsStoresInOrder() {
        return List.of("amd64", "x86_64", "x86", "i386").contains(System.getProperty("os.arch"));
    }
}
