package dev.baton.operations.chains;

import dev.baton.Chain;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import dev.baton.operations.line.TypedArguments;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** Selection of the chain to run or measure, and its settings: options of every command that runs chains. */
public final class ChainOptions {
    public static final String CHAIN = "--chain";

    public static final String OPTION = "--chain-option";

    @OptionGroup(Heading.RUNS)
    @Option(
            names = CHAIN,
            paramLabel = "NAME",
            defaultValue = ForwardingChain.NAME,
            description = {
                "chain whose services run (default: ${DEFAULT-VALUE})",
                "forwarding, or a chain of a jar in BATON_CLASSPATH, with its own messages and check; 'baton chains' lists them"
            })
    private String name;

    @Option(
            names = OPTION,
            paramLabel = "KEY=VALUE",
            description = "an option of that chain; KEY=env:NAME takes its value from the environment (repeatable)")
    private List<String> settings = new ArrayList<>();

    /** Selects a chain as {@link #choose(String, List)} does, from the options of the command line. */
    public NamedChain choose() {
        return choose(name, settings);
    }

    /**
     * Selects a chain of a jar.
     *
     * @param settings {@code key=value} each
     * @return null for the chain that forwards
     * @throws CommandException when the chain is unknown, or a setting has another form
     */
    public static NamedChain choose(String name, List<String> settings) {
        if (name.equals(ForwardingChain.NAME)) {
            if (!settings.isEmpty()) {
                throw CommandException.usage(OPTION + " " + settings.get(0) + ": the chain " + name
                        + " has none; name another one with " + CHAIN);
            }
            return null;
        }
        Map<String, String> options = new TreeMap<>();
        settings.forEach(each -> TypedArguments.setting(OPTION, each, "rejected=10", options::put));
        return NamedChain.of(name, options);
    }

    /** The chain under the name of a run. @param name null: its own */
    public static Chain renamed(Chain chain, String name) {
        return name == null ? chain : Checks.allowed("--name: ", () -> chain.renamed(name));
    }
}
