package dev.baton.operations.line;

import dev.baton.operations.line.OptionGroup.Heading;
import dev.baton.operations.terminal.Wrapped;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;

/**
 * The help of a command, generated from the declarations of its options. With many options, {@code --help} prints the summaries of the usual
 * ones in groups, and {@code --help-all} the whole descriptions of all. Stateless, thread-safe.
 */
final class HelpText {
    private static final String ALL = "--help-all";

    /** Commands with more options print them in groups. */
    private static final int MOST_UNGROUPED = 12;

    private static final int NAMES = 25;

    /** The end of the first clause of a description, up to which a list of commands quotes it. */
    private static final Pattern CLAUSE_END = Pattern.compile("[.,:;](\\s.*|$)", Pattern.DOTALL);

    /** The heading of a command that was given none. */
    private static final String NO_GROUP = new UsageMessageSpec().commandListHeading();

    private HelpText() {}

    /** Adds the options of the help to a command and its subcommands. */
    static void addTo(CommandSpec command) {
        if (!command.helpCommand()) {
            boolean isLong = command.options().size() > MOST_UNGROUPED;
            command.addOption(option("-h", isLong ? "print the usual options" : "print this text", "--help")
                    .build());
            command.addOption(option(ALL, "print all options with their whole descriptions")
                    .hidden(!isLong)
                    .build());
            command.usageMessage().abbreviateSynopsis(isLong);
            Map<String, IHelpSectionRenderer> sections = command.usageMessage().sectionMap();
            sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, help -> options(help, isLong));
            sections.put(UsageMessageSpec.SECTION_KEY_PARAMETER_LIST, HelpText::parameters);
            sections.put(UsageMessageSpec.SECTION_KEY_DESCRIPTION, help -> description(help, isLong));
            IHelpSectionRenderer footer = sections.get(UsageMessageSpec.SECTION_KEY_FOOTER);
            sections.put(
                    UsageMessageSpec.SECTION_KEY_FOOTER, help -> isLong && !isWhole(help) ? "" : footer.render(help));
        }
        command.subcommands().values().forEach(each -> addTo(each.getCommandSpec()));
    }

    private static OptionSpec.Builder option(String name, String description, String... others) {
        List<String> names = new ArrayList<>(List.of(name));
        names.addAll(List.of(others));
        return OptionSpec.builder(names.toArray(String[]::new)).usageHelp(true).description(description);
    }

    private static String options(Help help, boolean isLong) {
        CommandSpec command = help.commandSpec();
        boolean isWhole = !isLong || isWhole(help);
        int width = command.usageMessage().width();
        StringBuilder text = new StringBuilder();
        for (Heading heading : Heading.values()) {
            List<OptionSpec> group = command.options().stream()
                    .filter(each -> !each.hidden() && !isRefused(each) && heading(each, isLong) == heading)
                    .sorted(Comparator.comparingInt(OptionSpec::order))
                    .toList();
            if (!group.isEmpty() && (isWhole || heading != Heading.EXPERT)) {
                text.append(isLong ? heading(help, heading) : "");
                group.forEach(each -> append(text, each, isWhole, width, help));
            }
        }
        return text.toString();
    }

    private static String description(Help help, boolean isLong) {
        CommandSpec command = help.commandSpec();
        return Arrays.stream(command.usageMessage().description())
                .limit(isLong && !isWhole(help) ? 1 : Long.MAX_VALUE)
                .flatMap(each -> Wrapped.lines("", each, command.usageMessage().width()).stream())
                .map(line -> line + System.lineSeparator())
                .collect(Collectors.joining());
    }

    /** Returns whether a command shares an option with others only to refuse it. */
    private static boolean isRefused(OptionSpec option) {
        return option.description().length > 0 && option.description()[0].startsWith("refused:");
    }

    private static boolean isWhole(Help help) {
        ParseResult typed = help.commandSpec().commandLine().getParseResult();
        return typed != null && typed.hasMatchedOption(ALL);
    }

    private static String heading(Help help, Heading heading) {
        return help.colorScheme().text("@|bold " + heading.title() + ":|@") + System.lineSeparator();
    }

    private static Heading heading(OptionSpec option, boolean isLong) {
        if (isLong && option.usageHelp()) {
            return Heading.OUTPUT;
        }
        if (!isLong || !(option.userObject() instanceof Field field)) {
            return Heading.EXPERT; // the only group, without its heading
        }
        OptionGroup own = field.getAnnotation(OptionGroup.class);
        OptionGroup group = own == null ? field.getDeclaringClass().getAnnotation(OptionGroup.class) : own;
        return group == null ? Heading.EXPERT : group.value();
    }

    private static void append(StringBuilder text, OptionSpec option, boolean isWhole, int width, Help help) {
        String names = String.join(", ", option.names());
        String value = value(option);
        text.append("  ").append(help.colorScheme().optionText(names)).append(value);
        describe(text, names.length() + value.length(), option.description(), isWhole, width);
    }

    /**
     * The commands with the first clause of each description: the whole is in the command's own help. The first command of a group has the
     * group's name as its {@code commandListHeading}.
     */
    static String commands(Help help) {
        int width = help.commandSpec().usageMessage().width();
        int names = help.subcommands().keySet().stream()
                .mapToInt(String::length)
                .max()
                .orElse(0);
        StringBuilder text = new StringBuilder();
        help.subcommands().forEach((name, command) -> {
            UsageMessageSpec usage = command.commandSpec().usageMessage();
            if (!usage.commandListHeading().equals(NO_GROUP)) {
                text.append(help.colorScheme().text("@|bold " + usage.commandListHeading() + ":|@"))
                        .append(System.lineSeparator());
            }
            String description = String.join(" ", usage.header().length > 0 ? usage.header() : usage.description());
            String label = "  " + name + " ".repeat(names - name.length() + 2);
            Wrapped.lines(label, CLAUSE_END.matcher(description).replaceFirst(""), width)
                    .forEach(line -> text.append(line).append(System.lineSeparator()));
        });
        return text.toString();
    }

    private static String parameters(Help help) {
        CommandSpec command = help.commandSpec();
        StringBuilder text = new StringBuilder();
        for (PositionalParamSpec each : command.positionalParameters()) {
            String name = each.arity().min() == 0 ? "[" + each.paramLabel() + "]" : each.paramLabel();
            text.append("  ").append(help.colorScheme().parameterText(name));
            describe(
                    text,
                    name.length(),
                    each.description(),
                    true,
                    command.usageMessage().width());
        }
        return text.toString();
    }

    /** Appends a description to a name that was appended. */
    private static void describe(StringBuilder text, int length, String[] description, boolean isWhole, int width) {
        String indent = " ".repeat(NAMES);
        List<String> lines = Arrays.stream(description)
                .limit(isWhole ? Long.MAX_VALUE : 1)
                .flatMap(each -> Wrapped.lines("", each, width - NAMES).stream())
                .toList();
        text.append(2 + length < NAMES ? " ".repeat(NAMES - 2 - length) : System.lineSeparator() + indent)
                .append(String.join(System.lineSeparator() + indent, lines))
                .append(System.lineSeparator());
    }

    private static String value(OptionSpec option) {
        if (option.arity().max() == 0) {
            return "";
        }
        String value = (option.longestName().startsWith("--") ? "=" : " ") + option.paramLabel();
        return option.arity().min() == 0 ? "[" + value + "]" : value;
    }
}
