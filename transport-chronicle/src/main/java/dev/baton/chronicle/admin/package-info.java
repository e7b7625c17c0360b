/**
 * The inspection of topics that need not be open. Internal; the transport and the provider call it.
 */
package dev.baton.chronicle.admin;
