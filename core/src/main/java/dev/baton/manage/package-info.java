/** The status of running chains and their disks, for JMX. */
package dev.baton.manage;
