package dev.baton.kafka.client;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;

/** The values of passed settings that Kafka declares as passwords, to be masked in messages. Immutable, thread-safe. */
public final class PassedSecrets {
    private static final String HIDDEN = "***";

    /** The least length of a value that is masked: a shorter one occurs in any text. */
    private static final int SHORTEST = 4;

    /** The parts of a login that may be secret: all between quotes, blanks and equals signs. */
    private static final Pattern PART = Pattern.compile("[^\\s=\"';]+");

    private static final List<ConfigDef> DEFINITIONS =
            List.of(ProducerConfig.configDef(), ConsumerConfig.configDef(), AdminClientConfig.configDef());

    private final List<String> values;

    private PassedSecrets(List<String> values) {
        this.values = values;
    }

    public static PassedSecrets in(Map<String, String> passed) {
        List<String> values = new ArrayList<>();
        passed.forEach((key, value) -> {
            if (isSecret(key)) {
                values.add(value);
                if (key.endsWith(".jaas.config")) {
                    values.addAll(assigned(value));
                }
            }
        });
        values.removeIf(value -> value.length() < SHORTEST);
        values.sort(Comparator.comparingInt(String::length).reversed());
        return new PassedSecrets(List.copyOf(values));
    }

    public String hiddenIn(String text) {
        String shown = text;
        for (String value : values) {
            shown = shown.replace(value, HIDDEN);
        }
        return shown;
    }

    private static boolean isSecret(String key) {
        String setting = key.substring(key.indexOf('.') + 1);
        return DEFINITIONS.stream()
                .flatMap(each -> Stream.ofNullable(each.configKeys().get(setting)))
                .anyMatch(each -> each.type() == ConfigDef.Type.PASSWORD);
    }

    /** Returns the values that a login assigns: everything behind the module and its flag but the names of options. */
    private static List<String> assigned(String login) {
        List<String> parts = new ArrayList<>();
        Matcher part = PART.matcher(login);
        for (int i = 0; part.find(); i++) {
            boolean isName = part.end() < login.length() && login.charAt(part.end()) == '=';
            if (i > 1 && !isName) {
                parts.add(part.group());
            }
        }
        return parts;
    }
}
