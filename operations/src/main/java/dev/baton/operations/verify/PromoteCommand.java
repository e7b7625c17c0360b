package dev.baton.operations.verify;

import dev.baton.operations.line.Checks;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.line.Subcommand;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.options.OneTransportOptions;
import dev.baton.operations.terminal.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** {@code baton promote}: lets a standby be used instead of what it copied. */
@Command(
        name = "promote",
        sortOptions = false,
        defaultValueProvider = PromoteCommand.Defaults.class,
        description = {
            "Lets a standby be used alone, after the host that it copied is lost. It gets a newer epoch: processes that"
                    + " know it refuse the other one, also when that comes back.",
            "Name the standby by -o archive=HOST:PORT, or run this on its host with -o driver=DIR. The same command lets an"
                    + " Archive whose standby is lost run alone."
        },
        footer = {
            "",
            "May be repeated, also after it was killed. Then start the chains with the same options.",
            "Exit codes: 0 promoted; 2 usage error; 3 the former Archive answers, a topic is not whole, or the standby cannot be"
                    + " reached."
        })
public final class PromoteCommand extends Subcommand {
    /** The transport that has a standby. */
    static final class Defaults implements IDefaultValueProvider {
        public Defaults() {}

        @Override
        public String defaultValue(ArgSpec argument) {
            return argument instanceof OptionSpec option && option.longestName().equals("--transport") ? ARCHIVE : null;
        }
    }

    private static final Pattern ADDRESS = Pattern.compile("[^\\s|?]{1,253}:[0-9]{1,5}");
    private static final int MOST_SHOWN = 60;
    private static final String ARCHIVE = "aeron-archive";

    @Option(
            names = "--instead-of",
            required = true,
            paramLabel = "HOST:PORT",
            description =
                    "the Archive that the standby replaces; while that Archive answers, the promotion is refused without --force")
    private String former;

    @Option(
            names = "--force",
            description =
                    "promote although the former Archive answers; processes that use it store nothing from then on")
    private boolean isForced;

    @Mixin
    private OneTransportOptions transport;

    @Override
    public Integer call() {
        Checks.require(
                ADDRESS.matcher(former).matches(),
                "--instead-of '" + former.substring(0, Math.min(former.length(), MOST_SHOWN))
                        + "' is not allowed; HOST:PORT, the control channel of the other Archive");
        ChosenTransport chosen = transport.choose(known());
        Checks.require(
                chosen.provider().name().equals(ARCHIVE),
                "--transport " + chosen.provider().name() + " has no standby; omit --transport");
        Map<String, Long> topics = Checks.possible(() -> chosen.provider().promote(chosen.options(), former, isForced));
        List<String> lines = new ArrayList<>();
        lines.add("promoted instead of " + former + ": " + topics.size() + (topics.size() == 1 ? " topic" : " topics"));
        topics.forEach((topic, newest) -> lines.add("  " + topic + ": " + Units.count(newest) + " messages"));
        console().print(lines);
        return ExitCode.OK;
    }
}
