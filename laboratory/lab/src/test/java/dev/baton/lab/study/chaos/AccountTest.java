package dev.baton.lab.study.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.results.Json;
import dev.baton.lab.study.chaos.SendingEnd.SenderWords;
import dev.baton.lab.study.chaos.audit.Account;
import java.util.List;
import org.junit.jupiter.api.Test;

class AccountTest {
    @Test
    void intactTopicsHaveNoFindings() {
        Account account =
                new Account(List.of(whole("a", 100), whole("b", 100)), 90, 0, 100L, 7, 0, 0, 0, true, 0, List.of());
        assertThat(account.sent()).isEqualTo(100);
        assertThat(account.lost()).isZero();
        assertThat(account.findings()).isEmpty();
    }

    @Test
    void messageMissingInLastTopicIsLost() {
        Account.Topic last = new Account.Topic("b", 98, 100, 2, 0, 0, 0, 0, 0, "message 5 is missing");
        Account account = new Account(List.of(whole("a", 100), last), 100, 0, 100L, 0, 0, 0, 0, true, 0, List.of());
        assertThat(account.lost()).isEqualTo(2);
        assertThat(account.findings()).containsExactly("topic b: message 5 is missing");
    }

    @Test
    void confirmedMessageInNoTopicIsLost() {
        Account account =
                new Account(List.of(whole("a", 100), whole("b", 100)), 103, 0, 100L, 0, 0, 0, 0, true, 0, List.of());
        assertThat(account.lost()).isEqualTo(3);
        assertThat(account.findings()).containsExactly("3 stored messages are missing");
    }

    @Test
    void inFlightMessagesAtInterruptionAreNotLost() {
        List<Account.Topic> topics = List.of(whole("a", 100), whole("b", 60));
        Account interrupted = new Account(topics, 100, 0, 60L, 0, 0, 0, 0, false, 0, List.of());
        assertThat(interrupted.lost()).isZero();
        assertThat(interrupted.onTheWay()).isEqualTo(40);
        assertThat(interrupted.findings()).isEmpty();
        assertThat(new Account(topics, 100, 0, 60L, 0, 0, 0, 0, true, 0, List.of()).findings())
                .containsExactly("40 messages did not arrive in time");
    }

    @Test
    void undeliveredMessagesAreFound() {
        List<Account.Topic> topics = List.of(whole("a", 100), whole("b", 100));
        assertThat(new Account(topics, 100, 0, 97L, 0, 0, 0, 0, true, 0, List.of()).findings())
                .containsExactly("3 messages at the end of the last topic never reached the receiver");
        assertThat(new Account(topics, 100, 0, 97L, 0, 0, 0, 0, false, 0, List.of()).findings())
                .as("somebody was in a hurry")
                .isEmpty();
    }

    @Test
    void olderFileWithoutReceiverIsReadable() {
        Account account =
                Json.parse("{\"topics\": [], \"vouched\": 5, \"takenBack\": 0, \"wasDrained\": true}", Account.class);
        assertThat(account.received()).isNull();
        assertThat(new Account(List.of(whole("a", 5)), 5, 0, null, 0, 0, 0, 0, true, 0, List.of()).findings())
                .isEmpty();
    }

    @Test
    void missingConfirmedMessagesAreReported() {
        SenderWords words = new SenderWords();
        words.onLine(SenderWords.began(1, 77));
        words.onLine(SenderWords.stored(40));
        words.onLine("something else");
        words.onLine(SenderWords.began(38, 77));
        assertThat(words.baseNanos).isEqualTo(77);
        assertThat(words.takenBack).isEqualTo(3);
        Account account =
                new Account(List.of(whole("a", 60), whole("b", 60)), 40, 3, 60L, 0, 0, 0, 0, true, 0, List.of());
        assertThat(account.lost()).isEqualTo(3);
        assertThat(account.findings()).hasSize(1);
    }

    private static Account.Topic whole(String topic, long messages) {
        return new Account.Topic(topic, messages, messages, 0, 0, 0, 0, 0, 0, null);
    }
}
