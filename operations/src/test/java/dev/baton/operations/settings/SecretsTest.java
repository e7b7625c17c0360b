package dev.baton.operations.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    -Djavax.net.ssl.trustStorePassword=hush            | -Djavax.net.ssl.trustStorePassword=***
                    -Djavax.net.ssl.keyStore=hush                      | -Djavax.net.ssl.keyStore=***
                    client.sasl.jaas.config=Module required u="hush";  | client.sasl.jaas.config=***
                    -o=client.sasl.password=hush                       | -o=client.sasl.password=***
                    -oclient.ssl.key.password=hush                     | -oclient.ssl.key.password=***
                    --jvm-flags=-Da=b -DapiKey=hush                    | --jvm-flags=-Da=b -DapiKey=***
                    --jvm-flags=-javaagent:/a.jar=token=hush           | --jvm-flags=-javaagent:/a.jar=token=***
                    --url=http://me:hush@host/path                     | --url=http://***@host/path
                    http://hush@host                                   | http://***@host
                    client.basic.auth.user.info=hush                   | client.basic.auth.user.info=***
                    CLIENT.SASL.PASSWORD=hush                          | CLIENT.SASL.PASSWORD=***
                    --keys=1000                                        | --keys=1000
                    --dir=/data/secret                                 | --dir=/data/secret
                    -Xmx256m                                           | -Xmx256m
                    acks=all                                           | acks=all
                    """)
    void aSecretIsHiddenWhereverItsKeyStands(String argument, String shown) {
        assertThat(Secrets.redacted(argument)).isEqualTo(shown);
    }

    @Test
    void repeatedSecretIsHiddenWithItsParts() {
        Secrets secrets = Secrets.in(List.of(
                "client.sasl.jaas.config=Plain required username=\"smith\" password='hush hush';",
                "client.ssl.key.password=hush hush and more",
                "client.ssl.truststore.type=JKS",
                "acks=all"));
        assertThat(secrets.hiddenIn("login of smith with hush hush failed: acks=all, JKS"))
                .isEqualTo("login of *** with *** failed: acks=all, JKS");
        assertThat(secrets.hiddenIn("hush hush and more")).isEqualTo("***");
        assertThat(secrets.hiddenIn("Plain required username=\"smith\" password='hush hush';"))
                .isEqualTo("***");
    }

    @Test
    void subjectOptionsAreHiddenByKeyAndValue() {
        Subject subject = new Subject(
                Subject.BATON,
                "kafka",
                Map.of("client.sasl.password", "hush", "url", "http://me:hush@host", "client.x", "a token=hush"));
        assertThat(subject.redacted().options())
                .containsEntry("client.sasl.password", "***")
                .containsEntry("url", "http://***@host")
                .containsEntry("client.x", "a token=***");
    }
}
