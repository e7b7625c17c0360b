/**
 * The positions of named consumers in a topic's metadata, and the backlog that follows from them. Internal;
 * {@code writing}, {@code reading} and {@code admin} call it. It uses {@code log}.
 */
package dev.baton.chronicle.consumers;
