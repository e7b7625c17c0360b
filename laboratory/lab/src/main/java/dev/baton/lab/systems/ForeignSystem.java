package dev.baton.lab.systems;

import dev.baton.measuring.system.SystemUnderTest;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.ForeignJars;
import dev.baton.operations.line.TypedArguments;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.options.OptionSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A system of a jar in BATON_CLASSPATH. In a plan it has the place of a transport, so that it gets a broker and a directory
 * like one; it cannot be opened as one. Stateless, thread-safe.
 */
public record ForeignSystem(SystemUnderTest system) implements TransportProvider {
    /** The command line option that sets the options of systems. */
    public static final String OPTION = "--system-option";

    private static final String PREFIX = Subject.SYSTEM + ":";

    /**
     * Returns all of them by name.
     *
     * @throws CommandException if a jar names a system that cannot be loaded, or two share a name
     */
    static SortedMap<String, SystemUnderTest> onClassPath() {
        List<SystemUnderTest> found =
                ForeignJars.providers(SystemUnderTest.class, "a system", ForeignSystem::checkedName);
        return ForeignJars.byName(
                Subject.SYSTEM, found, system -> system.describe().name(), null);
    }

    /** Returns the name of a system whose description is complete, and whose class is in one jar only. */
    private static String checkedName(SystemUnderTest system) {
        SystemUnderTest.Description description = system.describe();
        if (description == null
                || description.summary() == null
                || description.options() == null
                || description.properties() == null) {
            throw CommandException.environment("describe of " + ForeignJars.describe(system) + " returned "
                    + (description == null ? "null" : "a description with null")
                    + "; it returns a summary and two maps, Map.of() where there is nothing to say");
        }
        ForeignJars.requireOnce(system);
        return description.name();
    }

    /** Returns whether an engine as it was typed is a system: {@code system:NAME}. */
    public static boolean isMeant(String engine) {
        return engine.startsWith(PREFIX);
    }

    /** {@return the system with a name} @throws CommandException for an unknown name; the text lists the known ones */
    static ForeignSystem named(String name) {
        SortedMap<String, SystemUnderTest> known = onClassPath();
        if (!known.containsKey(name)) {
            throw CommandException.usage("unknown system '" + name + "'; "
                    + (known.isEmpty() ? "none is known" : "known: " + String.join(", ", known.keySet()))
                    + "; a jar in BATON_CLASSPATH names its systems in META-INF/services/"
                    + SystemUnderTest.class.getName());
        }
        return new ForeignSystem(known.get(name));
    }

    /**
     * Returns the systems that engines name, each with the options that it has of those that were typed.
     *
     * @param engines as typed, {@code system:NAME} each
     * @param settings {@code key=value} each
     * @throws CommandException for an unknown system, and for an option that no system has
     */
    public static List<ChosenTransport> chosen(Stream<String> engines, List<String> settings) {
        List<ForeignSystem> systems = engines.distinct()
                .map(engine -> named(engine.substring(PREFIX.length())))
                .toList();
        Map<String, Map<String, String>> options = new TreeMap<>();
        systems.forEach(each -> options.put(each.name(), new TreeMap<>()));
        for (String setting : settings) {
            TypedArguments.setting(OPTION, setting, "capacity=4096", (key, value) -> {
                List<ForeignSystem> takers = systems.stream()
                        .filter(each -> each.defaults().containsKey(key))
                        .toList();
                Checks.require(
                        !takers.isEmpty(),
                        OPTION + " " + key + ": no system of --engine has it; 'baton systems' lists their options");
                takers.forEach(each -> options.get(each.name()).put(key, value));
            });
        }
        List<ChosenTransport> chosen = new ArrayList<>();
        for (ForeignSystem each : systems) {
            Map<String, String> own = options.get(each.name());
            boolean needsBroker = each.defaults().containsKey(Subject.BROKERS) && !own.containsKey(Subject.BROKERS);
            chosen.add(new ChosenTransport(each, own, needsBroker ? 1 : 0));
        }
        return chosen;
    }

    private Map<String, String> defaults() {
        return system.describe().options();
    }

    @Override
    public String name() {
        return system.describe().name();
    }

    @Override
    public String summary() {
        return system.describe().summary();
    }

    /** None: the laboratory does not know what a system promises. */
    @Override
    public Set<Guarantee> guarantees() {
        return Set.of();
    }

    @Override
    public List<OptionSpec> options() {
        return new TreeMap<>(defaults())
                .entrySet().stream()
                        .map(each -> new OptionSpec(each.getKey(), each.getValue(), "", ""))
                        .toList();
    }

    /** Always throws: {@link SystemRig} opens systems. */
    @Override
    public Transport open(Map<String, String> options) {
        throw new UnsupportedOperationException(name() + " is a system, no transport");
    }
}
