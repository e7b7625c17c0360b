package dev.baton.kafka.client;

import java.util.Locale;
import org.apache.kafka.common.acl.AclOperation;

/**
 * The operation on a resource that an ACL has to allow, in the words of {@code kafka-acls}. Immutable, thread-safe.
 *
 * @param operation such as Describe
 * @param resource such as topic 'orders-0'
 */
public record Permission(AclOperation operation, String resource) {
    public static Permission onTopic(AclOperation operation, String topic) {
        return new Permission(operation, "topic '" + topic + "'");
    }

    public static Permission onGroup(AclOperation operation, String group) {
        return new Permission(operation, "group '" + group + "'");
    }

    public static Permission onTransactionalId(AclOperation operation, String id) {
        return new Permission(operation, "transactional id '" + id + "'");
    }

    /** Returns text such as {@code Describe on topic 'orders-0'}. */
    @Override
    public String toString() {
        StringBuilder words = new StringBuilder();
        for (String word : operation.name().split("_")) {
            words.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return words + " on " + resource;
    }
}
