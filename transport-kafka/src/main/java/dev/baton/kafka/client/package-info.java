/**
 * The clients of one Kafka cluster: their settings, the admin client with its deadlines, and what their failures mean.
 *
 * <p>Every other package of this transport calls it. It uses Kafka's clients and the options, and none of the other
 * packages. Internal: it may change in any release.
 */
package dev.baton.kafka.client;
