/** Services of a chain in a process of their own: run, watched, opened again when their transport comes back. */
package dev.baton.operations.service;
