package dev.baton.proofs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The results of jcstress for each proof over all JVM configurations. Immutable, thread-safe. */
record Verdicts(List<Verdict> all) {
    /**
     * The result of one proof.
     *
     * @param proof its class
     * @param isHeld whether no forbidden state was seen
     * @param samples number of times that both actors ran
     * @param table as printed, a line for each outcome
     */
    record Verdict(String proof, boolean isHeld, long samples, List<String> table) {}

    private static final Pattern HEAD = Pattern.compile("\\.+ \\[(\\w+)] ([\\w.$]+)");
    private static final Pattern ROW = Pattern.compile("\\s+\\S.*?\\s+([\\d,]+)\\s+<?[\\d.]+%\\s+\\w+\\s.*");

    static Verdicts of(String results) {
        List<Verdict> verdicts = new ArrayList<>();
        String proof = null;
        boolean isHeld = false;
        long samples = 0;
        List<String> table = new ArrayList<>();
        for (String line : results.lines().toList()) {
            Matcher head = HEAD.matcher(line.strip());
            Matcher row = ROW.matcher(line);
            if (head.matches()) {
                add(verdicts, proof, isHeld, samples, table);
                proof = head.group(2);
                isHeld = head.group(1).equals("OK");
                samples = 0;
                table = new ArrayList<>();
            } else if (row.matches()) {
                samples += Long.parseLong(row.group(1).replace(",", ""));
                table.add(line.strip());
            }
        }
        add(verdicts, proof, isHeld, samples, table);
        return new Verdicts(List.copyOf(verdicts));
    }

    private static void add(List<Verdict> verdicts, String proof, boolean isHeld, long samples, List<String> table) {
        if (proof != null) {
            verdicts.add(new Verdict(proof, isHeld, samples, List.copyOf(table)));
        }
    }
}
