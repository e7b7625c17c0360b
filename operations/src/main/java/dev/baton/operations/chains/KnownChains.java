package dev.baton.operations.chains;

import dev.baton.chains.ChainProvider;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.ForeignJars;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** The chains that jars on the class path provide, by name. Stateless, thread-safe. */
final class KnownChains {
    private KnownChains() {}

    /**
     * Returns the providers that {@link java.util.ServiceLoader} finds.
     *
     * @throws CommandException when a jar names a chain that cannot be loaded, or two share a name
     */
    static SortedMap<String, ChainProvider> onClassPath() {
        List<ChainProvider> providers = ForeignJars.providers(ChainProvider.class, "a chain", ChainProvider::name);
        SortedMap<String, ChainProvider> byName = ForeignJars.byName("chain", providers, ChainProvider::name, null);
        ChainProvider other = byName.get(ForwardingChain.NAME);
        if (other != null) {
            throw ForeignJars.twice("chain", ForwardingChain.NAME, "Baton's own", other);
        }
        return byName;
    }

    /** {@return those that users are told of, by name} @throws CommandException as {@link #onClassPath} */
    static List<ChainProvider> listed() {
        return onClassPath().values().stream()
                .filter(each -> !(each instanceof UnlistedChain))
                .toList();
    }

    /**
     * {@return the provider with a name}
     *
     * @throws CommandException for an unknown name; the text lists the known names
     */
    static ChainProvider named(String name) {
        SortedMap<String, ChainProvider> byName = onClassPath();
        if (!byName.containsKey(name)) {
            List<String> known = new ArrayList<>(List.of(ForwardingChain.NAME));
            listed().forEach(each -> known.add(each.name()));
            throw CommandException.usage("unknown chain '" + name + "'; known: " + String.join(", ", known)
                    + "; jars with others go into BATON_CLASSPATH");
        }
        return byName.get(name);
    }
}
