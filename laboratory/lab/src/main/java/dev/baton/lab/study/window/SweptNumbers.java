package dev.baton.lab.study.window;

import static dev.baton.operations.line.Checks.require;

import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.NumberConverter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads the whole numbers that an option sweeps over: {@code 5000,25000}, {@code 5000..105000} for doubled steps from the
 * first to the last, {@code 5000..105000+20000} for equal ones. Stateless, thread-safe.
 */
final class SweptNumbers {
    /** For help texts. */
    static final String GRAMMAR = "several with commas; a..b doubles from a to b, a..b+c goes in steps of c";

    private static final int MOST = 100;
    private static final String RANGE = "..";

    private SweptNumbers() {}

    /** Returns all numbers, in the order of the command line, each once. */
    static List<Integer> numbers(String option, String text, int least, int most) {
        List<Integer> numbers = new ArrayList<>();
        for (String each : text.split(",", -1)) {
            int dots = each.indexOf(RANGE);
            if (dots < 0) {
                numbers.add(number(option, each, least, most));
            } else {
                addRange(numbers, option, each, dots, least, most);
            }
        }
        List<Integer> distinct = numbers.stream().distinct().toList();
        require(distinct.size() <= MOST, option + " " + text + " are " + distinct.size() + " values; 1 to " + MOST);
        return distinct;
    }

    private static void addRange(List<Integer> numbers, String option, String range, int dots, int least, int most) {
        String rest = range.substring(dots + RANGE.length());
        int plus = rest.indexOf('+');
        int first = number(option, range.substring(0, dots), least, most);
        int last = number(option, plus < 0 ? rest : rest.substring(0, plus), least, most);
        int step = plus < 0 ? 0 : number(option, rest.substring(plus + 1), 1, most);
        require(first <= last, option + " " + range + " goes down; write the smaller number first");
        require(
                step == 0 || (last - first) / step < MOST,
                option + " " + range + " is more than " + MOST + " values; take longer steps");
        for (long each = first; each < last; each = step == 0 ? each * 2 : each + step) {
            numbers.add((int) each);
        }
        numbers.add(last);
    }

    private static int number(String option, String text, int least, int most) {
        try {
            BigDecimal number = new NumberConverter().convert(text.trim());
            return Checks.integer(option, number, least, most);
        } catch (TypeConversionException malformed) {
            throw CommandException.usage(option + ": " + malformed.getMessage());
        }
    }
}
