/**
 * Services and codecs for objects instead of bytes: {@link dev.baton.codec.TypedService} and {@link
 * dev.baton.codec.RoutingService}.
 *
 * <p>Used by authors of services. It may use {@code dev.baton}.
 */
package dev.baton.codec;
